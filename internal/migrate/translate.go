package migrate

import (
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/outputs"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/migrate/tools"
)

// translate returns the piece of configuration for the call of a tool, or nil.
func (c *toolCall) translate() *outputs.Piece {
	flags := tools.Generators
	if strings.HasPrefix(c.name, "kube::codegen::") {
		flags = tools.GenClient
	}
	c.parse(flags)
	p := c.piece()
	switch c.name {
	case "kube::codegen::gen_client":
		c.genClient(p)
	case "kube::codegen::gen_helpers":
		c.genHelpers(p)
	case "kube::codegen::gen_register":
		p.Add("register", c.marked(repository.GroupName()))
	case "generate-groups.sh", "generate-internal-groups.sh":
		c.generateGroups(p)
	default:
		c.generator(p)
	}
	if len(p.Parts) == 0 {
		return nil
	}
	p.Problem = c.outputProblem()
	return p
}

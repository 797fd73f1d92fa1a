package input

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// clientTrees are the folders of client-go that upstream's generators write into.
var clientTrees = []string{"applyconfigurations", "informers", "kubernetes", "listers"}

var clientImport = regexp.MustCompile(`"k8s\.io/client-go/(` + strings.Join(clientTrees, "|") + `)\b`)

// Clients copies client-go's clients for k8s.io/api to dir: upstream's output and the handwritten files in it, without tests. The
// copies import each other below importPath. The version of client-go is the one that the module in from requires.
func Clients(dir, importPath, from string) error {
	source, err := goCommand(from, "mod", "download", "-json", "k8s.io/client-go")
	if err != nil {
		return err
	}
	var download struct{ Dir string }
	if err := json.Unmarshal([]byte(source), &download); err != nil {
		return err
	}
	root := os.DirFS(download.Dir)
	for _, tree := range clientTrees {
		err := fs.WalkDir(root, tree, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			content, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			to := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				return err
			}
			return os.WriteFile(to, clientImport.ReplaceAll(content, []byte(`"`+importPath+`/$1`)), 0o666)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

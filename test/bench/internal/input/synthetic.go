package input

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed templates
var files embed.FS

var templates = template.Must(template.ParseFS(files, "templates/*.tmpl"))

// kindsPerVersion is the maximum number of kinds per version, about as in core/v1 or a large CRD project.
const kindsPerVersion = 25

// versionNames are the versions of each group, as long as there are kinds for them.
var versionNames = []string{"v1", "v1beta1"}

// Names of kinds consist of two words each, so that their plurals have several forms.
var (
	firstWords  = []string{"Build", "Cache", "Ledger", "Network", "Storage"}
	secondWords = []string{"Job", "Policy", "Gateway", "Class", "Snapshot"}
)

// version is one API version, which is one package.
type version struct {
	Group, Folder, Name string
	Kinds               []kind
}

// kind is one API type.
type kind struct {
	Name string
	// Tags follow +genclient.
	Tags      []string
	HasStatus bool
}

// Synthetic writes the given number of synthetic kinds below apis/ in dir, spread over groups and versions, with realistic
// documentation. The generators write registration and deep copies.
func Synthetic(dir string, kinds int) error {
	for _, v := range versions(kinds) {
		folder := filepath.Join(dir, "apis", v.Folder, v.Name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		for _, t := range templates.Templates() {
			if err := write(filepath.Join(folder, strings.TrimSuffix(t.Name(), ".tmpl")), t, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func write(name string, t *template.Template, v version) error {
	var b strings.Builder
	if err := t.Execute(&b, v); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}

// versions spreads kinds over groups and versions.
func versions(kinds int) []version {
	var all []version
	for kinds > 0 {
		folder := fmt.Sprintf("area%03d", len(all)/len(versionNames))
		v := version{Group: folder + "." + ModulePath, Folder: folder, Name: versionNames[len(all)%len(versionNames)]}
		for i := range min(kinds, kindsPerVersion) {
			v.Kinds = append(v.Kinds, kindOf(i))
		}
		kinds -= len(v.Kinds)
		all = append(all, v)
	}
	return all
}

// kindOf returns a synthetic kind for an index in its version. Most kinds are namespaced and have a status; exceptions are about
// as frequent as in k8s.io/api.
func kindOf(i int) kind {
	k := kind{Name: firstWords[i/len(secondWords)] + secondWords[i%len(secondWords)], HasStatus: true}
	if i%6 == 3 {
		k.Tags = append(k.Tags, "genclient:nonNamespaced")
	}
	if i%5 == 2 {
		k.HasStatus = false
	}
	if i%12 == 7 {
		k.Tags = append(k.Tags, "genclient:readonly")
	} else if i%10 == 4 {
		const scale = "k8s.io/api/autoscaling/v1.Scale"
		k.Tags = append(k.Tags,
			"genclient:method=GetScale,verb=get,subresource=scale,result="+scale,
			"genclient:method=UpdateScale,verb=update,subresource=scale,input="+scale+",result="+scale)
	}
	return k
}

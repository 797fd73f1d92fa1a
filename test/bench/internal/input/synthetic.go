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

// A version holds at most so many kinds, about as many as core/v1 or a busy vendor's.
const kindsPerVersion = 25

// versionNames are the versions that every group has, as long as there are kinds for them.
var versionNames = []string{"v1", "v1beta1"}

// The names of kinds are made of two words each, so that their plurals take several forms.
var (
	firstWords  = []string{"Build", "Cache", "Ledger", "Network", "Storage"}
	secondWords = []string{"Job", "Policy", "Gateway", "Class", "Snapshot"}
)

// version is one API version, a package.
type version struct {
	Group, Folder, Name string
	Kinds               []kind
}

// kind is one API type.
type kind struct {
	Name string
	// Tags stand below +genclient.
	Tags      []string
	HasStatus bool
}

// Synthetic writes as many made-up kinds below apis/ in dir, spread over groups and versions, with documentation as in a
// real module. Registration and deep copies are for the generators to write.
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

// kindOf makes up the kind with the given index in its version. Most are namespaced and have a status; the others are
// about as frequent as in k8s.io/api.
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

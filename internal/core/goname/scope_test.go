package goname

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFree(t *testing.T) {
	reserved := func(name string) bool { return name == "ctx" || name == "ctxs" }
	tests := []struct {
		name       string
		taken      []string
		candidates []string
		want       string
	}{
		{"free", nil, []string{"robot"}, "robot"},
		{"taken", []string{"robot"}, []string{"robot"}, "robot2"},
		{"number taken", []string{"robot", "robot2"}, []string{"robot"}, "robot3"},
		{"second candidate", []string{"appsv1"}, []string{"appsv1", "kubeappsv1"}, "kubeappsv1"},
		{"no candidate", []string{"appsv1", "kubeappsv1"}, []string{"appsv1", "kubeappsv1"}, "kubeappsv12"},
		{"init", nil, []string{"init"}, "init2"},
		{"keyword", nil, []string{"type"}, "type2"},
		{"keyword with alternative", nil, []string{"type", "typeObject"}, "typeObject"},
		{"avoided", nil, []string{"ctx"}, "ctx2"},
		{"every candidate avoided", nil, []string{"ctx", "ctxs"}, "ctxs2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scope := NewScope(reserved)
			for _, name := range test.taken {
				scope.Take(name)
			}
			assert.Equal(t, test.want, scope.Free(test.candidates...))
			assert.NotEqual(t, test.want, scope.Free(test.candidates...), "a chosen name is taken")
		})
	}
}

func TestImports(t *testing.T) {
	imports := NewImports(NewScope())
	assert.Equal(t, "v1", imports.Alias("example.com/z/v1", "v1"))
	assert.Equal(t, "v12", imports.Alias("example.com/a/v1", "v1"), "another package")
	assert.Equal(t, "v1", imports.Alias("example.com/z/v1", "other"), "the same package")
	assert.True(t, imports.Uses("v12"))
	assert.False(t, imports.Uses("other"))
	var all []string
	imports.Each(func(importPath, alias string) { all = append(all, importPath+" "+alias) })
	assert.Equal(t, []string{"example.com/a/v1 v12", "example.com/z/v1 v1"}, all)
}

func TestUnless(t *testing.T) {
	upper := func(name string) bool { return strings.ToUpper(name) == name }
	assert.Equal(t, "robot", Unless("robot", "other"))
	assert.Equal(t, "other", Unless("range", "other"))
	assert.Equal(t, "other", Unless("ROBOT", "other", upper))
	assert.Equal(t, "other", Unless("string", "other", upper, Predeclared))
	assert.Equal(t, "robot", Unless("robot", "other", upper, Predeclared))
}

func TestForImport(t *testing.T) {
	tests := []struct{ importPath, name, want string }{
		{"k8s.io/api/apps/v1", "v1", "appsv1"},
		{"k8s.io/api/apps/v1beta1", "v1beta1", "appsv1beta1"},
		{"k8s.io/apimachinery/pkg/util/intstr", "intstr", "intstr"},
		{"example.com/go-robots", "go-robots", "gorobots"},
		{"example.com/my.group/v2", "v2", "mygroupv2"},
		{"example.com/1st/v1", "v1", "api1stv1"},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, ForImport(test.importPath, test.name), test.importPath)
	}
}

func TestPackage(t *testing.T) {
	for folder, want := range map[string]string{
		"fleet": "fleet", "Fleet-Ops": "fleetops", "v1.2": "v12", "type": "apitype", "1st": "api1st", "---": "api", "größe": "größe", "a_b": "a_b", "a.b": "ab",
	} {
		assert.Equal(t, want, Package(folder), folder)
	}
}

func TestFirstLetter(t *testing.T) {
	for upper, lower := range map[string]string{"Robot": "robot", "URL": "uRL", "Ärger": "ärger"} {
		assert.Equal(t, lower, LowerFirst(upper))
		assert.Equal(t, upper, UpperFirst(lower))
	}
}

func TestCamel(t *testing.T) {
	for text, want := range map[string]string{
		"fleet": "Fleet", "my-group": "MyGroup", "a-1-b": "A1B", "x": "X", "a--b": "AB",
		"part_of.it": "PartOfIt", "status/scale": "StatusScale",
	} {
		assert.Equal(t, want, Camel(text))
	}
}

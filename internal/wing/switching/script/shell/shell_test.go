package shell

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/diag"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/repository"
	"github.com/informer-gen-lite/informer-gen-lite/internal/wing/switching/script/programs"
)

// surroundings is a repository in /m with some scripts.
type surroundings map[string]string

func (s surroundings) Variables() map[string]string {
	return map[string]string{"GIVEN": "1", "OSTYPE": programs.OSType}
}

func (s surroundings) Script(name string, _ []string) ([]byte, bool) {
	text, ok := s[name]
	return []byte(text), ok
}

func (s surroundings) Opaque(name string) bool { return name == "opaque" }

func (s surroundings) Output(dir string, words []string, stdin func() string) (string, bool) {
	return programs.Output(&repository.Repository{Root: "/m"}, dir, words, stdin)
}

// ReadDir returns the scripts of a directory.
func (s surroundings) ReadDir(dir string) (entries []fs.DirEntry, err error) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if filepath.Dir(name) == filepath.Clean(dir) {
			entries = append(entries, fs.FileInfoToDirEntry(file(filepath.Base(name))))
		}
	}
	return entries, nil
}

// file is a file with a name.
type file string

func (f file) Name() string     { return string(f) }
func (file) Size() int64        { return 0 }
func (file) Mode() fs.FileMode  { return 0 }
func (file) ModTime() time.Time { return time.Time{} }
func (file) IsDir() bool        { return false }
func (file) Sys() any           { return nil }

// follow returns the commands of a script in /m/hack, as words separated by |, and the diagnostics. Unknown words are shown as
// <source: reason>.
func follow(t *testing.T, script string) (commands []string, dirs []string, problems []string) {
	t.Helper()
	diags, err := Follow([]byte(script), Config{
		Name: "/m/hack/gen.sh", Dir: "/m", Surroundings: surroundings{"/m/lib.sh": "f() { x lib; }", "/m/hack/called.sh": "x $1 $0"},
		Limits: NewLimits(),
		Handle: func(c Command) {
			commands = append(commands, shown(c))
			dirs = append(dirs, c.Dir)
		},
	})
	require.NoError(t, err)
	for _, d := range diags {
		problems = append(problems, d.String())
	}
	return commands, dirs, problems
}

// shown returns the words of a command separated by |.
func shown(c Command) string {
	var words []string
	for _, arg := range c.Args {
		if arg.Unknown != "" {
			words = append(words, "<"+arg.Text+": "+arg.Unknown+">")
		} else {
			words = append(words, arg.Text)
		}
	}
	return strings.Join(words, "|")
}

func TestWords(t *testing.T) {
	for name, test := range map[string]struct{ script, want string }{
		"literal":                {"x a 'b c' \"d e\"", "x|a|b c|d e"},
		"assignment":             {"a=1\nx $a", "x|1"},
		"assignment of nothing":  {"a=\nx \"$a\"", "x|"},
		"assignment, later":      {"a=1\na=2\nx $a", "x|2"},
		"appended":               {"a=1\na+=2\nx $a", "x|12"},
		"exported":               {"export a=1\nreadonly b=2\nx $a $b", "x|1|2"},
		"of one command only":    {"a=1 x $a", "x|<$a: $a is not set in the script>"},
		"split":                  {"a='b c'\nx $a \"$a\"", "x|b|c|b c"},
		"default":                {"x ${a:-b}", "x|b"},
		"default of what is set": {"a=c\nx ${a:-b}", "x|c"},
		"default in default":     {"x ${a:-${b:-c}}", "x|c"},
		"shortest suffix":        {"a=p/q/r\nx ${a%/*}", "x|p/q"},
		"longest suffix":         {"a=p/q/r\nx ${a%%/*}", "x|p"},
		"shortest prefix":        {"a=p/q/r\nx ${a#*/}", "x|q/r"},
		"longest prefix":         {"a=p/q/r\nx ${a##*/}", "x|r"},
		"replacement":            {"a=p.q.r\nx ${a//./-}", "x|p-q-r"},
		"array":                  {"a=(b 'c d')\nx \"${a[@]}\"", "x|b|c d"},
		"array, unknown":         {"a=($(date))\nx \"${a[@]}\"", "x|<$a: $a comes from date, which is only known at run time>"},
		"array, unknown in a loop": {
			"a=($(date))\nfor i in \"${a[@]}\"; do x $i; done",
			"x|<$i: $i comes from $a comes from date, which is only known at run time>",
		},
		"array, one element":       {"a=(b c)\nx ${a[1]}", "x|c"},
		"array, appended":          {"a=(b)\na+=(c d)\nx \"${a[@]}\"", "x|b|c|d"},
		"array with prefix":        {"a=(b c)\nx \"${a[@]/#/--in=}\"", "x|--in=b|--in=c"},
		"array, joined":            {"a=(b c)\nx \"${a[*]}\"", "x|b c"},
		"anchored replacement":     {"a=(b c)\nx \"${a[@]/%/z}\"", "x|<${a[@]/%/z}: ${a[@]/%/z}, which is only known at run time>"},
		"braces are two words":     {"x {a,b}", "x|a|b"},
		"script's name":            {"x $0 ${BASH_SOURCE[0]}", "x|/m/hack/gen.sh|/m/hack/gen.sh"},
		"dirname":                  {"x $(dirname \"$0\")/..", "x|/m/hack/.."},
		"root by cd and pwd":       {"a=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\nx $a $PWD", "x|/m|/m"},
		"basename":                 {"x $(basename p/q)", "x|q"},
		"realpath":                 {"x $(realpath hack/../api) $(readlink -f api)", "x|/m/api|/m/api"},
		"echo":                     {"x $(echo a b)", "x|a|b"},
		"unknown substitution":     {"x $(date)", "x|<$(date): date, which is only known at run time>"},
		"unknown in substitution":  {"x $(dirname $a)", "x|<$(dirname $a): $a is not set in the script>"},
		"unknown at second hand":   {"a=$(date)\nb=$a/c\nx $b", "x|<$b: $b comes from $a comes from date, which is only known at run time>"},
		"unset":                    {"x $HOME", "x|<$HOME: $HOME is not set in the script>"},
		"function in substitution": {"f() { local r=; for i in a b; do r+=$i; done; echo $r; }\nx $(f)", "x|ab"},
		"case in substitution":     {"f() { case \"$1\" in a) echo 1;; *) echo 2;; esac; }\nx $(f b)", "x|2"},
		"local variable":           {"r=1\nf() { local r=2; }\nf\nx $r", "x|1"},
		"pipe in substitution":     {"x $(echo a.b | cut -d. -f2)", "x|b"},
		"or in substitution":       {"x $(ls -d nothing || echo b)", "x|b"},
		"test in substitution":     {"x $([ -n a ] && echo b || echo c)", "x|<a conditionb: a condition, which is only known at run time>"},
		"joined by IFS":            {"a=(b c)\nx $(IFS=,; echo \"${a[*]}\")", "x|b,c"},
		"here string":              {"IFS=: read -r a b <<<\"1:2\"\nx $a $b", "x|1|2"},
		"mapfile":                  {"mapfile -t a < <(printf '%s\\n' 1 2)\nx \"${a[@]}\"", "x|1|2"},
		"given":                    {"x $GIVEN", "x|1"},
		"width of printf":          {"x $(printf '%9s' a)", "x|<$(printf %9s a): printf %9s a, which is only known at run time>"},
		"process substitution":     {"x <(date)", "x|<<(date): <(date), which is only known at run time>"},
	} {
		t.Run(name, func(t *testing.T) {
			commands, _, _ := follow(t, test.script)
			require.NotEmpty(t, commands)
			assert.Equal(t, test.want, commands[len(commands)-1])
		})
	}
}

func TestCommands(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		want   []string
	}{
		"function":                  {"f() { x $1 \"$@\"; }\nf a b", []string{"x|a|a|b"}},
		"function, nested":          {"f() { g $1; }\ng() { x $1; }\nf a", []string{"x|a"}},
		"function, called nowhere":  {"f() { x; }\ny", []string{"y", "x"}},
		"function, recursive":       {"f() { x; f; }\nf", []string{"x"}},
		"function, defined twice":   {"f() { x; }\nf() { y; }\nf", []string{"y"}},
		"parameter that is missing": {"f() { x $2; }\nf a", []string{"x|<$2: $2 is not set in the script>"}},
		"loop":                      {"for i in a b; do x $i; done", []string{"x|a", "x|b"}},
		"loop over an array":        {"a=(b 'c d')\nfor i in \"${a[@]}\"; do x \"$i\"; done", []string{"x|b", "x|c d"}},
		"loop over files":           {"for i in hack/*.sh n*; do x $i '*'; done", []string{"x|hack/called.sh|*", "x|n*|*"}},
		"loop over keys":            {"declare -A a=([d]=1 [c]=2)\nfor i in \"${!a[@]}\"; do x $i ${a[$i]}; done", []string{"x|c|2", "x|d|1"}},
		"loop over indexes":         {"a=(b c)\nfor i in ${!a[@]}; do x $i ${a[$i]}; done", []string{"x|0|b", "x|1|c"}},
		"loop over unknown keys":    {"for i in ${!a[@]}; do x $i; done", []string{"x|<$i: $i comes from $a is not set in the script>"}},
		"loop over the unknown": {
			"for i in $(date); do x $i; done",
			[]string{"date", "x|<$i: $i comes from date, which is only known at run time>"},
		},
		"loop that counts":      {"for ((i=0; i<9; i++)); do x; done", []string{"x"}},
		"while":                 {"while y; do x; done", []string{"y", "x"}},
		"both branches":         {"if y; then x 1; elif z; then x 2; else x 3; fi", []string{"y", "x|1", "z", "x|2", "x|3"}},
		"case":                  {"case $a in 1) x 1;; *) x 2;; esac", []string{"x|1", "x|2"}},
		"case, known":           {"for i in a p/q c; do case $i in b|a) x 1;; p*) x 2;; *) x 3;; esac; done", []string{"x|1", "x|2", "x|3"}},
		"case, known and empty": {"a=\ncase \"$a\" in b) x 1;; '') x 2;; *) x 3;; esac", []string{"x|2"}},
		"case, no item matches": {"case a in b) x 1;; esac; x", []string{"x"}},
		"case, assignment":      {"a=1\ncase $a in 1) a=2;; esac\nx $a", []string{"x|2"}},
		"case in a loop that may change the word": {
			"i=0\nwhile y $i; do case $i in 0) x 1;; 1) x 2;; esac; i=$((i+1)); done", []string{"y|0", "x|1", "x|2"},
		},
		"case with an unknown pattern": {"case a in $b) x 1;; a) x 2;; esac", []string{"x|1", "x|2"}},
		"case that falls through":      {"case a in a) x 1;& b) x 2;; esac", []string{"x|1", "x|2"}},
		"case with a list of patterns": {"case a/v1 in */@(v1|v2)) x 1;; *) x 2;; esac", []string{"x|1"}},
		"and, or, pipe":                {"a && b || c | d", []string{"a", "b", "c", "d"}},
		"subshell and group":           {"(x 1); { x 2; }; time x 3", []string{"x|1", "x|2", "x|3"}},
		"loop that reads":              {"echo 'a b' | while read -r i j; do x $j $i; done", []string{"x|b|a"}},
		"xargs":                        {"echo a b | xargs -n1 x -f", []string{"x|-f|a", "x|-f|b"}},
		"xargs without input":          {"true | xargs x; true | xargs -n1 y", []string{"x"}},
		"xargs in a pipe":              {"for i in $(printf '%s\\0' p/q/r p/q/s | xargs -0 dirname | xargs -n1 dirname | sort -u); do x $i; done", []string{"x|p"}},
		"xargs with a placeholder":     {"echo a b | xargs -I{} x {}.go", []string{"x|a.go", "x|b.go"}},
		"eval":                         {"eval \"x a\"", []string{"x|a"}},
		"text for a shell":             {"bash -ec 'x $0 $1' a b", []string{"x|/m/hack/gen.sh|b"}},
		"input of a shell":             {"a=b\nbash -es <<E\nx $a\nE\necho 'x c' | sh", []string{"x|b", "x|c"}},
		"opaque function":              {"opaque() { x; }\nopaque a", []string{"opaque|a"}},
		"shift and set":                {"f() { shift; x $1; }\nf a b\nset -- c\nx $1", []string{"x|b", "x|c"}},
		"condition that is not met":    {"a=1\nif [[ \"${CI:-}\" == true ]]; then a=2; x 2; fi\nx $a", []string{"x|2", "x|1"}},
		"other scripts": {
			"source lib.sh\nf\n./hack/called.sh b\n./hack/gen.sh",
			[]string{"x|lib", "x|b|/m/hack/called.sh", "./hack/gen.sh"},
		},
		"program that is unknown": {"\"$DIR\"/x a", []string{"<$DIR/x: $DIR is not set in the script>|a"}},
	} {
		t.Run(name, func(t *testing.T) {
			commands, _, _ := follow(t, test.script)
			assert.Equal(t, test.want, commands)
		})
	}
}

func TestWorkingDirectory(t *testing.T) {
	for script, want := range map[string]string{
		"x":                              "/m",
		"cd api; x":                      "/m/api",
		"cd /else/../abs; x":             "/abs",
		"(cd api); x":                    "/m",
		"a=$(cd api && pwd); x":          "/m",
		"pushd a; pushd b; popd; x":      "/m/a",
		"pushd a; popd; popd; x":         "/m",
		"cd $(date); x":                  "/m",
		"cd \"$(dirname \"$0\")\"/..; x": "/m",
		"f() { cd api; }; f; x":          "/m/api",
	} {
		_, dirs, _ := follow(t, script)
		require.NotEmpty(t, dirs, script)
		assert.Equal(t, want, dirs[len(dirs)-1], script)
	}
}

// TestLines runs each line in a shell of its own, as make does.
func TestLines(t *testing.T) {
	var got []string
	config := Config{Name: "/gen.sh", Lines: true, Surroundings: surroundings{}, Limits: NewLimits(), Handle: func(c Command) {
		got = append(got, shown(c))
	}}
	_, err := Follow([]byte("a=1; x $a\na=2; \\\n  x $a; \\\n\tx $a\nx $a\ncd a && \\\n  x .\n"), config)
	require.NoError(t, err)
	assert.Equal(t, []string{"x|1", "x|2", "x|2", "x|<$a: $a is not set in the script>", "x|."}, got)
}

// TestConditions changes variables in branches that may or may not be run.
func TestConditions(t *testing.T) {
	for name, test := range map[string]struct {
		script, want string
		problems     []string
	}{
		"known before":   {"a=1\nif y; then a=2; fi\nx $a", "x|1", []string{`/m/hack/gen.sh:2:12: a depends on a condition: using "1", not "2"`}},
		"the same":       {"a=1\nif y; then a=1; fi\nx $a", "x|1", nil},
		"empty before":   {"a=\nif y; then a=2; fi\nx $a", "x|2", nil},
		"unknown before": {"if y; then a=2; fi\nx $a", "x|2", nil},
		"unknown inside": {"a=1\nif y; then a=$(date); fi\nx $a", "x|1", []string{
			`/m/hack/gen.sh:2:12: a depends on a condition: using "1", not "$(date)"`,
		}},
		"default": {"[[ -n $a ]] || a=2\nx $a", "x|2", nil},
	} {
		t.Run(name, func(t *testing.T) {
			commands, _, problems := follow(t, test.script)
			assert.Equal(t, test.want, commands[len(commands)-1])
			assert.Equal(t, test.problems, problems)
		})
	}
}

// TestHost takes the branch of Linux, and says nothing.
func TestHost(t *testing.T) {
	const branches = "; then a=g; else a=l; fi\nx $a"
	for _, script := range []string{
		"if [[ \"$OSTYPE\" == \"darwin\"* ]]" + branches,
		"if [[ $OSTYPE != linux* ]]" + branches,
		"if [[ ! $OSTYPE == linux* ]]" + branches,
		"if [[ $OSTYPE =~ ^darwin ]]" + branches,
		"if [ \"$(uname)\" = Darwin ]" + branches,
		"if [ ! \"$(uname -s)\" = Linux ]" + branches,
		"if test \"$(uname -s)\" = Darwin" + branches,
		"if [[ Darwin == \"$(uname)\" ]]" + branches,
		"os=$(uname | tr '[:upper:]' '[:lower:]')\nif [ $os = darwin ]" + branches,
		"os=$(uname | tr '[A-Z]' '[a-z]')\nif [ $os = darwin ]" + branches,
		"os=$(uname)\nif [ ${os,,} = darwin ]" + branches,
		"os=$OSTYPE\nif [[ ${os%%-*} == darwin ]]" + branches,
		"case \"$(uname -s)-$(uname -m)\" in Darwin-*) a=g;; Linux-x86_64) a=l;; esac\nx $a",
		"if [[ \"$(go env GOOS)\" == darwin || \"$(go env GOOS)\" == freebsd ]]" + branches,
		"if [[ ( \"$(go env GOOS)\" == darwin && -n $y ) ]]" + branches,
		"if ! [[ \"$(go env GOHOSTOS)/$(go env GOARCH)\" == linux/* ]]" + branches,
		"if command -v greadlink >/dev/null 2>&1" + branches,
		"if which greadlink >/dev/null" + branches,
		"if type gsed" + branches,
		"if hash gsed 2>/dev/null" + branches,
		"if [ -x \"$(command -v gsed)\" ]" + branches,
		"if [ ! -z \"$(which gsed)\" ]" + branches,
		"if [[ -n $(command -v gsed) ]]" + branches,
		"if [[ $(type -P gsed) ]]" + branches,
		"if ! command -v sed" + branches,
		"if uname | grep -qi darwin" + branches,
		"if uname -s | grep -v Linux >/dev/null" + branches,
		"mac() { [[ $(uname -m) == arm64 ]]; }\nif mac" + branches,
		"if [ \"$(uname)\" = Darwin ]; then a=g; elif [ \"$(uname)\" = Linux ]; then a=l; else a=m; fi\nx $a",
		"case \"$(uname -s)\" in Darwin*) a=g;; Linux|linux) a=l;; *) a=m;; esac\nx $a",
		"case $OSTYPE in darwin*) a=g;; *) a=l;; esac\nx $a",
		"a=l\n[[ $OSTYPE == darwin* ]] && a=g\nx $a",
		"a=g\n[[ $OSTYPE == darwin* ]] || a=l\nx $a",
		"a=l\ncommand -v gsed && a=g\nx $a",
		"x $(if [[ $OSTYPE == darwin* ]]; then echo g; else echo l; fi)",
		"x $([ \"$(uname)\" = Darwin ] && echo g || echo l)",
		"x $(command -v gl || echo m) | true\nx $(command -v gsed || echo l)",
		"x $(case $OSTYPE in darwin*) echo g;; *) echo l;; esac)",
	} {
		commands, _, problems := follow(t, script)
		require.NotEmpty(t, commands, script)
		assert.Equal(t, "x|l", commands[len(commands)-1], script)
		assert.Empty(t, problems, script)
	}
}

// TestOtherConditions follows both branches of conditions that do not depend on the system, or on more than that.
func TestOtherConditions(t *testing.T) {
	for _, cond := range []string{
		"[[ $GIVEN == 2 ]]", "[[ -z \"\" ]]", "[ $y = linux ]", "[ \"${y:-}\" = linux ]", "[[ $(date) == Linux ]]", "y", "! y", "true",
		"command -v client-gen", "[ -x $(which controller-gen) ]", "[[ $OSTYPE == linux* && -n $y ]]", "[[ $OSTYPE == darwin* || $y ]]",
		"[[ $OSTYPE == linux* ]]; declare y=1", "[[ $OSTYPE > m ]]", "[[ $OSTYPE =~ '(' ]]", "uname | y", "[ ! linux = $y ]", "[[ $OSTYPE -nt y ]]", "f", "(( 1 ))",
	} {
		commands, _, _ := follow(t, "f() { if [[ $OSTYPE == linux* ]]; then return 1; fi; }\nif "+cond+"; then x 1; else x 2; fi")
		assert.Subset(t, commands, []string{"x|1", "x|2"}, cond)
	}
}

// functions is a chain of functions that call each other.
var functions = func() (script string) {
	for i := range 100 {
		script += fmt.Sprintf("f%d() { f%d; }\n", i, i+1)
	}
	return script
}()

// TestLimits follows scripts that grow without limit: values that are too long are unknown, and too much work ends.
func TestLimits(t *testing.T) {
	loops := "for i in {1..100}; do for j in {1..100}; do for k in {1..100}; do\na=1; x\ndone; done; done"
	for name, test := range map[string]struct{ script, last, err string }{
		"value": {"a=1\nfor i in {0..99}; do a=$a$a; done\nx $a", "x|<$a: $a comes from a text that is too long>", ""},
		"array": {"a=(1)\nfor i in {0..99}; do a+=(\"${a[@]}\"); done\nx \"${a[@]}\"", "x|<$a: $a comes from a text that is too long>", ""},
		"input": {
			"a='" + strings.Repeat("x/y ", 9_999) + "'\n" +
				"x $({ echo $a; echo $a; } | xargs dirname | sort -u)", "x|x", "",
		},
		"lines": {
			"a='" + strings.Repeat("x\n", 9_999) + "'\nmapfile -t b <<<\"$a\"\nx \"${b[@]}\"",
			"x|<$b: $b comes from a text that is too long>", "",
		},
		"keys": {
			"declare -A a\nb=" + strings.Repeat("x", 50_000) + "\nfor i in {1..999}; do a[$i]=$b; done",
			"", "3:23: 32 MiB of output",
		},
		"replacement": {"a=1\nx ${a//x/$a}", "x|<${a//x/$a}: ${a//x/$a}, which is only known at run time>", ""},
		"commands":    {loops, "x", "2:6: 32768 commands"},
		"a command":   {"a=" + strings.Repeat("x", 50_000) + "\nx $a $a", "", "2:1: 64 KiB in a command"},
		"output":      {"a=" + strings.Repeat("x", 50_000) + "\nfor i in {1..999}; do b=$(echo $a); done", "", "2:23: 32 MiB of output"},
		"braces":      {"x {1..1000}{1..1000}{1..1000}", "", "1:3: 2048 expansions"},
		"expansions":  {"x\n" + strings.Repeat("x $a\n", 2049), "", "2050:3: 2048 expansions"},
		"syntax":      {"x\n" + strings.Repeat("{ ", 20_000) + "x" + strings.Repeat("; }", 20_000), "", "2:1023: 1024 nested commands or words"},
		"evaluated":   {"a='x | '\nfor i in {1..10}; do a=$a$a; done\neval \"$a x\"", "", "3:3645: 1024 nested commands or words"},
		"functions":   {functions + "f0", "", "63:9: 64 functions, scripts and conditions within each other"},
		"length":      {strings.Repeat("# x\n", 100_000), "", "1: 128 KiB of script"},
	} {
		t.Run(name, func(t *testing.T) {
			last := ""
			_, err := Follow([]byte(test.script), Config{
				Name: "/gen.sh", Dir: "/m", Surroundings: surroundings{}, Limits: NewLimits(),
				Handle: func(c Command) { last = shown(c) },
			})
			assert.Equal(t, test.last, last)
			if test.err == "" {
				require.NoError(t, err)
				return
			}
			at, limit, _ := strings.Cut(test.err, ": ")
			assert.EqualError(t, err, "/gen.sh:"+at+": stopped reading this script: it exceeds the limit of "+limit+
				"\n\twrite .informer-gen.yaml by hand")
		})
	}
}

// TestDeadline follows a script after its time.
func TestDeadline(t *testing.T) {
	limits := NewLimits()
	limits.Close()
	_, err := Follow([]byte("x\n"), Config{Name: "/gen.sh", Surroundings: surroundings{}, Limits: limits, Handle: func(Command) {}})
	assert.ErrorContains(t, err, "/gen.sh:1: stopped reading this script: it exceeds the limit of 1m0s")
}

// TestWritten has statements whose output goes to files.
func TestWritten(t *testing.T) {
	for script, want := range map[string]string{
		"a=b\nsed \"s/x/$(date)/\" f $a >\"$a/$1\"":            ">|<b/$1: $1 is not set in the script>|f|b",
		"cat a.txt | sed s/x/y/ | tr b c >>d 2>e":              ">>|d|a.txt|s/x/y/|b|c",
		"envsubst <a >b || exit":                               ">|b|a",
		"{ cat a; cat b; } &> c":                               "&>|c|a|b",
		"x >&2; x 2>a; x | y <b":                               "",
		"f() { sed x \"${1:-y}\" $0 >\"$2\"; }\nf a.txt b.txt": ">|b.txt|x|a.txt|/gen.sh",
	} {
		var got []string
		config := Config{Name: "/gen.sh", Surroundings: surroundings{}, Limits: NewLimits(), Handle: func(Command) {}}
		config.Written = func(c Command) { got = append(got, shown(c)) }
		_, err := Follow([]byte(script), config)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Join(got, "\n"), script)
	}
}

func TestVariable(t *testing.T) {
	var got []string
	config := Config{Name: "/gen.sh", Dir: "/m", Surroundings: surroundings{}, Limits: NewLimits(), Handle: func(c Command) {
		got = append(got, c.Variable("/t/a/b"), c.Variable("/tt"))
	}}
	_, err := Follow([]byte("a=/t\nx\nf() { local b=$a/a; x; }\nf"), config)
	require.NoError(t, err)
	assert.Equal(t, []string{"$a/a/b", "", "$b/b", ""}, got)
}

func TestPositions(t *testing.T) {
	var got []string
	config := Config{Name: "/gen.sh", Surroundings: surroundings{}, Limits: NewLimits(), Handle: func(c Command) {
		got = append(got, c.Pos.String())
	}}
	_, err := Follow([]byte("\n  x \\\n    a\n"), config)
	require.NoError(t, err)
	assert.Equal(t, []string{"/gen.sh:2:3"}, got)
}

func TestSyntaxErrors(t *testing.T) {
	for script, want := range map[string]string{
		"x\nif":  "/gen.sh:2:1: `if` must be followed by a statement list",
		"x 'a":   "/gen.sh:1:3: reached EOF without closing quote `'`",
		"x $(a ": "/gen.sh:1:3: reached EOF without matching `$(` with `)`",
	} {
		_, err := Follow([]byte(script), Config{Name: "/gen.sh", Surroundings: surroundings{}, Limits: NewLimits()})
		var diags diag.List
		require.ErrorAs(t, err, &diags, script)
		assert.Equal(t, want, diags.Error())
	}
}

// TestNothingEscapes follows scripts that would write files, create named pipes or run programs, also by way of text that they
// evaluate. The interpreter's own process substitution would leave a named pipe.
func TestNothingEscapes(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	program := filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\ntouch "+dir+"/ran\n"), 0o700))
	for name, script := range map[string]string{
		"redirections": "echo a > a; echo b >> b; echo c &> c; echo d >| d; exec > e; echo f <> f",
		"process substitution": "x <(echo a) >(cat > a); cat < <(echo a); a=<(echo b); b=(<(c)); for i in <(d); do :; done; " +
			"case <(e) in <(f)) ;; esac",
		"evaluated": "a='x <(echo a) > b'; eval \"$a\"; command eval \"$a\"; builtin eval \"$a\"; e=eval; $e \"$a\"; " +
			"bash -c \"$a\"; trap \"$a\" EXIT; alias y=\"$a\"; y",
		"sourced": "source lib.sh; . ./lib.sh; s=source; $s lib.sh; ./lib.sh; command . lib.sh",
		"subscripts": "unset 'a[$(x <(echo a))]'; a=(1); echo ${a[$(x <(echo a))]} $((a[$(x <(echo a))])) ${!b}; " +
			"(( a[$(x <(y))] )); let 'a=$(x <(y))'",
		"tests": "[[ -e <(x) ]]; [ -v 'a[$(x <(y))]' ]; [[ a == <(x) ]] && y; read 'a[$(x <(y))]' <<<1; " +
			"printf -v 'a[$(x <(y))]' 1",
		"programs": program + "; $(" + program + "); exec " + program + "; command " + program + "; " +
			"xargs " + program + " <<<a; " + program + " & " + program + " | cat",
		"conditions": "[ -n a ] < <(x) > a && y; a=<(x) [ -n b ] && y; if [[ -n a ]] < <(x); then y; fi; [ -f <(x) ] || y; " +
			"while [ -n <(x) ] <<<$(y <(z)); do :; done",
		"here documents": "cat <<E > a\n$(x <(echo b))\nE\nfor i in 1; do read x <<<\"$(y <(z))\"; done > b",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Follow([]byte(script), Config{
				Name: filepath.Join(dir, "gen.sh"), Dir: dir, Limits: NewLimits(), Handle: func(Command) {},
				Surroundings: surroundings{filepath.Join(dir, "lib.sh"): "x <(echo a) > b; read a < <(echo b)"},
			})
			require.NoError(t, err)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Len(t, entries, 1, "%v", entries)
		})
	}
}

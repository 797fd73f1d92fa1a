package attack

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// A word is a token of a Go file with the preceding space.
type word struct {
	space, text string
	token       token.Token
}

// wordsOf splits a Go file into its tokens, including comments.
func wordsOf(src string) []word {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	var words []word
	end := 0
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return words
		}
		if kind == token.SEMICOLON && text == "\n" {
			continue // part of the next token's space
		}
		if text == "" {
			text = kind.String()
		}
		begin := file.Offset(pos)
		words = append(words, word{src[end:begin], text, kind})
		end = begin + len(text)
	}
}

func textOf(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.space)
		b.WriteString(w.text)
	}
	b.WriteString("\n")
	return b.String()
}

// typesToSwap are inserted in place of types.
var typesToSwap = []string{
	"string", "int", "int32", "int64", "uint8", "bool", "float64", "[]string", "[]byte", "[][]byte", "*string", "**bool", "map[string]string",
	"map[string][]string", "map[int]*bool", "[3]int", "[2]*string", "[]map[string]*int32", "struct{ A, B *string }", "struct{}", "interface{}",
	"any", "error", "func()", "chan int", "metav1.Time", "*metav1.Time", "metav1.ObjectMeta", "*metav1.LabelSelector", "[]metav1.Condition",
	"metav1.TypeMeta", "metav1.ListMeta", "Missing", "other.Missing", "complex128", "uintptr", "rune",
}

// markersToAdd are inserted before declarations and fields.
var markersToAdd = []string{
	"+genclient", "+genclient:nonNamespaced", "+genclient:noStatus", "+genclient:noVerbs", "+genclient:readonly", "+genclient:onlyVerbs=get,list",
	"+genclient:skipVerbs=watch", "+genclient:method=Scale,verb=update,subresource=scale,input=k8s.io/api/autoscaling/v1.Scale,result=k8s.io/api/autoscaling/v1.Scale",
	"+genclient:method=GetScale,verb=get,subresource=scale,result=k8s.io/api/autoscaling/v1.Scale", "+genclient:method=Get,verb=get",
	"+k8s:deepcopy-gen=false", "+k8s:deepcopy-gen=true", "+k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object", "+k8s:deepcopy-gen=package",
	"+groupName=x.example.com", "+groupGoName=Odd", "+k8s:openapi-gen=true", "+listType=map", "+listType=set", "+listType=atomic", "+listMapKey=name",
	"+mapType=atomic", "+structType=granular", "+default=1", "+default=\"x\"", "+default={}", "+optional", "+nullable", "+union", "+unionDiscriminator", "+kubebuilder:resource:scope=Cluster",
	"+kubebuilder:subresource:status", "+kubebuilder:object:root=true", "+kubebuilder:object:generate=false", "+kubebuilder:default=1", "+resourceName=things",
	"+k8s:conversion-gen=false", "+k8s:conversion-gen=example.com/mutants/apis/fleet", "+k8s:conversion-gen:explicit-from=net/url.Values",
	"+k8s:conversion-fn=drop", "+k8s:conversion-fn=copy-only", "+k8s:defaulter-gen=true", "+k8s:defaulter-gen=false", "+k8s:defaulter-gen=covers",
	"+default=ref(Missing)", "+informer-gen-lite:controller", "+", "+genclient:", "+k8s:", "+genclient=true",
}

// mutate returns a file with one to three changes.
func mutate(random *rand.Rand, src string) string {
	words := wordsOf(src)
	for range 1 + random.IntN(3) {
		if len(words) > 0 {
			words = changed(random, words)
		}
	}
	return textOf(words)
}

// changed makes one change. The first kinds of changes usually result in valid Go, the last ones do not.
func changed(random *rand.Rand, words []word) []word {
	words = append([]word(nil), words...)
	pick := func(wanted func(i int) bool) int {
		for range 200 {
			if i := random.IntN(len(words)); wanted(i) {
				return i
			}
		}
		return random.IntN(len(words))
	}
	kindOf := func(kinds ...token.Token) func(int) bool {
		return func(i int) bool { return slices.Contains(kinds, words[i].token) }
	}
	firstOfLine := func(i int) bool { return strings.Contains(words[i].space, "\n") && words[i].token == token.IDENT }
	// The type of a field follows its name and precedes a tag.
	fieldType := func(i int) bool {
		return i > 0 && i+1 < len(words) && words[i].token == token.IDENT && words[i+1].token == token.STRING && !strings.Contains(words[i].space, "\n")
	}
	drop := func(i, n int) { words = append(words[:i:i], words[min(len(words), i+n):]...) }
	insert := func(i int, added ...word) { words = append(words[:i:i], append(added, words[i:]...)...) }
	switch random.IntN(20) {
	case 0, 1: // the type of a field
		words[pick(fieldType)].text = typesToSwap[random.IntN(len(typesToSwap))]
	case 2: // a modifier of a type
		prefixes := []string{"*", "[]", "[]*", "map[string]", "[4]", "**", "map[string]*", "[][]"}
		i := pick(fieldType)
		words[i].text = prefixes[random.IntN(len(prefixes))] + words[i].text
	case 3: // remove a modifier
		drop(pick(kindOf(token.MUL)), 1)
	case 4: // add a marker
		i := pick(func(i int) bool { return firstOfLine(i) || words[i].token == token.TYPE })
		insert(i, word{words[i].space, "// " + markersToAdd[random.IntN(len(markersToAdd))], token.COMMENT})
		if !strings.Contains(words[i+1].space, "\n") {
			words[i+1].space = "\n"
		}
	case 5: // remove a comment
		drop(pick(kindOf(token.COMMENT)), 1)
	case 6: // another marker
		i := pick(func(i int) bool { return words[i].token == token.COMMENT && strings.Contains(words[i].text, "+") })
		words[i].text = garbled(random, words[i].text)
	case 7: // a tag
		i := pick(kindOf(token.STRING))
		words[i].text = otherTag(random, words[i].text)
	case 8: // duplicate or remove a field or a line
		i := pick(firstOfLine)
		end := i + 1
		for end < len(words) && !strings.Contains(words[end].space, "\n") {
			end++
		}
		if random.IntN(2) == 0 {
			drop(i, end-i)
		} else {
			insert(i, append([]word(nil), words[i:end]...)...)
		}
	case 9: // a field that becomes embedded
		i := pick(func(i int) bool { return firstOfLine(i) && i+2 < len(words) && words[i+2].token == token.STRING })
		words[i+min(1, len(words)-1-i)].space = words[i].space
		drop(i, 1)
	case 10: // a name in another place
		i, k := pick(kindOf(token.IDENT)), pick(kindOf(token.IDENT))
		words[i].text = words[k].text
	case 11: // a name in another form
		i := pick(kindOf(token.IDENT))
		forms := []string{strings.ToLower(words[i].text), strings.ToUpper(words[i].text), "_", "Ünï" + words[i].text, "x" + words[i].text, words[i].text + "List", "type", "err", "in", "out", "string"}
		words[i].text = forms[random.IntN(len(forms))]
	case 12: // add a declaration
		declarations := []string{
			"type Extra = string", "type Extra[T any] struct{ Value T }", "type Extra struct{ Self *Extra; More []Extra; Each map[string]Extra }",
			"type Extra func()", "type Extra interface{ M() }", "func (in *Extra) DeepCopy() *Extra { return in }", "const Extra = 1", "var SchemeGroupVersion = 1",
			"type Extra []Extra", "type Extra map[string]Extra", "type Extra *string", "type Extra struct{ *Extra }",
			"type Extra struct{ *Extra `json:\",inline\"` }", "type Extra []struct{ Next Extra `json:\"next\"` }", "type Extra = extra[int]\n\ntype extra[T any] struct{ Next *extra[T] `json:\"next\"` }", "func Resource(s string) int { return 1 }", "func init() {}",
		}
		if random.IntN(2) == 0 {
			words[pick(fieldType)].text = "Extra"
		}
		words = append(words, word{"\n\n", declarations[random.IntN(len(declarations))], token.TYPE})
	case 13:
		drop(random.IntN(len(words)), 1)
	case 14:
		i := random.IntN(len(words))
		insert(i, words[i])
	case 15:
		i, k := random.IntN(len(words)), random.IntN(len(words))
		words[i].text, words[k].text = words[k].text, words[i].text
	case 16: // remove a declaration
		i := pick(kindOf(token.TYPE, token.CONST, token.VAR, token.FUNC))
		drop(i, declarationLen(words[i:]))
	case 17: // remove an import
		drop(pick(isImport(words)), 1)
	case 18: // use the names of an import without qualifier
		i := pick(isImport(words))
		words[i].text = ". " + words[i].text
	case 19: // a type that is not exported, in this file
		i := pick(func(i int) bool { return i > 0 && words[i-1].token == token.TYPE })
		name := words[i].text
		for k := range words {
			if words[k].text == name {
				words[k].text = strings.ToLower(name)
			}
		}
	}
	return words
}

// isImport returns a function that reports whether a word is an import path.
func isImport(words []word) func(i int) bool {
	last := slices.IndexFunc(words, func(w word) bool { return w.token == token.TYPE || w.token == token.FUNC || w.token == token.VAR })
	return func(i int) bool { return i < last && words[i].token == token.STRING }
}

// declarationLen returns the number of words of a declaration, which ends with its first line that leaves no bracket open.
func declarationLen(words []word) int {
	open := 0
	for i, w := range words {
		if i > 0 && open == 0 && strings.Contains(w.space, "\n") {
			return i
		}
		switch w.token {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			open--
		}
	}
	return len(words)
}

// move returns the files of a subject in another place that Go has rules for: in an internal directory or in a program. In most cases
// it returns them as they are.
func move(random *rand.Rand, files map[string]string) map[string]string {
	place := random.IntN(20)
	if place > 2 {
		return files
	}
	moved := map[string]string{}
	for name, text := range files {
		switch place {
		case 0: // which the output can import
			name = "internal/" + name
		case 1: // which it cannot
			name = "other/internal/" + name
		case 2:
			if i := strings.Index(text, "\npackage "); i >= 0 {
				end := i + 1 + strings.IndexByte(text[i+1:], '\n')
				text = text[:i] + "\npackage main" + text[end:]
			}
		}
		moved[name] = text
	}
	return moved
}

// garbled changes a marker: its value, or some bytes.
func garbled(random *rand.Rand, text string) string {
	switch i := strings.IndexByte(text, '='); random.IntN(5) {
	case 0:
		if i > 0 {
			values := []string{"", "true", "false", "package", "a,b", "\"", "{", "Foo", "../x", "k8s.io/api/core/v1.Pod", strings.Repeat("x", 300)}
			return text[:i+1] + values[random.IntN(len(values))]
		}
		return text + "=x"
	case 1:
		return text + ":" + strconv.Itoa(random.IntN(10))
	case 2:
		return text + "\n" + text
	case 3:
		i := min(len(text), 2+random.IntN(len(text)))
		return text[:i] + text[min(len(text), i+1+random.IntN(4)):]
	}
	return "// " + markersToAdd[random.IntN(len(markersToAdd))]
}

// otherTag changes the tag of a field.
func otherTag(random *rand.Rand, text string) string {
	tags := []string{
		"``", "`json:\"-\"`", "`json:\",inline\"`", "`json:\",omitempty\"`", "`json:\"metadata\"`", "`json:\"spec\"`", "`json:\"status,omitempty\"`",
		"`json:\"a b\"`", "`json:\"é\"`", "`json:\"type\"`", "`json:\"name,string\"`", "`json`", "`json:`", "`json:\"x\" patchStrategy:\"merge\" patchMergeKey:\"missing\"`",
		"\"json:\\\"quoted\\\"\"", "`protobuf:\"bytes,1,opt,name=x\"`", "`json:\"apiVersion\"`", "`json:\"items\"`", "`json:\"-,\"`",
	}
	if random.IntN(3) == 0 && len(text) > 4 {
		i := 1 + random.IntN(len(text)-2)
		return text[:i] + text[i+1:]
	}
	return tags[random.IntN(len(tags))]
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mit is the text of an allowed license.
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to
do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

// zlib is the text of a license that is not allowed.
const zlib = `This software is provided 'as-is', without any express or implied warranty. In no event will the authors be held liable for
any damages arising from the use of this software. Permission is granted to anyone to use this software for any purpose, including
commercial applications, and to alter it and redistribute it freely, subject to the following restrictions: 1. The origin of this
software must not be misrepresented; you must not claim that you wrote the original software. If you use this software in a product,
an acknowledgment in the product documentation would be appreciated but is not required. 2. Altered source versions must be plainly
marked as such, and must not be misrepresented as being the original software. 3. This notice may not be removed or altered from any
source distribution.
`

func TestCheck(t *testing.T) {
	for name, test := range map[string]struct{ license, want string }{
		"allowed":     {mit, ""},
		"none":        {"", "a.example: no file with a license"},
		"unknown":     {"All rights reserved. " + strings.Repeat("Ask first. ", 50), "a.example: LICENSE is not a license that is known"},
		"not allowed": {zlib, "a.example: license Zlib is not one of Apache-2.0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, content string) {
				name = filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write("go.mod", "module b.example\n\ngo 1.26\n\nrequire a.example v0.0.0\n\nreplace a.example => ./a\n")
			write("b.go", "package b\n\nimport _ \"a.example\"\n")
			write("a/go.mod", "module a.example\n")
			write("a/a.go", "package a\n")
			if test.license != "" {
				write("a/LICENSE", test.license)
			}
			var out bytes.Buffer
			err := check(dir, []string{"."}, &out)
			switch {
			case test.want == "" && (err != nil || out.String() != "a.example MIT\n"):
				t.Errorf("%v, printed %q", err, out.String())
			case test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)):
				t.Errorf("error %v, not %s", err, test.want)
			}
		})
	}
}

package program

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSumOf(t *testing.T) {
	const id = "IR9Vs073REKgrsrUAU-G/mYjpux3pFBG4RwOCVS1r/5jwTnFBtFMWK4Vcwfoqb/RSV1WP6-tF-jX-7H5n9_"
	long := strings.Repeat("x", 100<<10)
	sum := func(content string) string {
		s, err := sumOf(strings.NewReader(content))
		require.NoError(t, err)
		return s
	}
	assert.Equal(t, sum("ELF "+id+" "+long+"1"), sum("ELF "+id+" "+long+"2"), "a build ID stands for all")
	assert.NotEqual(t, sum("ELF "+id), sum("ELF "+strings.Replace(id, "I", "J", 1)))
	assert.NotEqual(t, sum("ELF "+long+"1"), sum("ELF "+long+"2"), "without one, all of it counts")
	assert.NotEqual(t, sum("1"+long), sum("2"+long))
	assert.Equal(t, sum(""), sum(""))
	broken := errors.New("broken")
	_, err := sumOf(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	_, err = sumOf(io.MultiReader(strings.NewReader(long), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
}

// TestBuildID checks that the go command writes the build ID of programs where it is looked for.
func TestBuildID(t *testing.T) {
	name, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.Command("go", "tool", "buildid", name).Output()
	require.NoError(t, err)
	if id := strings.TrimSpace(string(out)); id != "" {
		want := sha256.Sum256([]byte(id))
		assert.Equal(t, hex.EncodeToString(want[:]), Sum())
	}
}

// isReplaced makes the test a program that prints its checksum once it can read a line.
const isReplaced = "PROGRAM_TEST_IS_REPLACED"

func TestMain(m *testing.M) {
	if os.Getenv(isReplaced) == "" {
		m.Run() // whose result is the exit code
		return
	}
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Fprintln(os.Stdout, Sum())
}

// TestReplacedProgram replaces the file of a process, as go install does.
func TestReplacedProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems open the new file")
	}
	name := filepath.Join(t.TempDir(), "program")
	own, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(own)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, content, 0o777))
	cmd := exec.Command(name)
	cmd.Env = append(os.Environ(), isReplaced+"=1")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, os.WriteFile(name+".new", []byte("another program"), 0o777))
	require.NoError(t, os.Rename(name+".new", name))
	_, err = io.WriteString(in, "\n")
	require.NoError(t, err)
	sum, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, cmd.Wait())
	assert.Equal(t, Sum(), strings.TrimSpace(sum))
}

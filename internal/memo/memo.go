// Package memo stores results of a run in the user's cache directory for the next run. Losing them costs only time.
//
// Records are sealed with a key in the user's configuration directory. So someone who can write only to the cache, such as a CI
// job whose cache another job restores, cannot forge a record.
package memo

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Memo stores a record under one name. The zero value stores nothing.
type Memo struct {
	name string
	key  []byte
}

// Limits of memos: the size in bytes, and the age.
const (
	largest = 256 << 20
	unused  = 30 * 24 * time.Hour
)

// keyLength is the key length of HMAC-SHA256, in bytes.
const keyLength = sha256.Size

// Open returns the memo for an identity, which must determine when the record is valid. It creates keyFile if it is missing.
// Without a place or a key, the memo keeps nothing.
func Open(dir, keyFile string, identity []byte) Memo {
	if dir == "" || keyFile == "" || within(dir, keyFile) {
		return Memo{} // anyone who can write to the cache must not have the key
	}
	key, err := readKey(keyFile)
	if err != nil {
		return Memo{}
	}
	sum := sha256.Sum256(identity)
	return Memo{filepath.Join(dir, hex.EncodeToString(sum[:16])+".run"), key}
}

// within reports whether a file is below a directory.
func within(dir, name string) bool {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	if resolved, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(resolved, filepath.Base(name))
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// readKey reads the key or creates it. If two processes create it at the same time, both use the first one.
func readKey(name string) ([]byte, error) {
	key, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKey(name); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		key, err = os.ReadFile(name)
	}
	if err == nil && len(key) != keyLength {
		err = errors.New("not a key")
	}
	return key, err
}

func makeKey(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "key-*.tmp") // readable only by this user
	if err != nil {
		return err
	}
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // never fails
	_, err = f.Write(key)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Link(f.Name(), name) // unlike a rename, it keeps an existing key
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// Load reads the record into v, a pointer, and reports whether there is a record sealed with this user's key.
func (m Memo) Load(v any) bool {
	if m.name == "" {
		return false
	}
	info, err := os.Lstat(m.name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largest {
		return false
	}
	data, err := os.ReadFile(m.name)
	if err != nil || len(data) < keyLength || !hmac.Equal(data[:keyLength], m.seal(data[keyLength:])) {
		return false
	}
	return gob.NewDecoder(bytes.NewReader(data[keyLength:])).Decode(v) == nil
}

// Save stores v on a best-effort basis.
func (m Memo) Save(v any) {
	if m.name == "" {
		return
	}
	var b bytes.Buffer
	if gob.NewEncoder(&b).Encode(v) != nil || os.MkdirAll(filepath.Dir(m.name), 0o777) != nil {
		return
	}
	m.clean()
	f, err := os.CreateTemp(filepath.Dir(m.name), "run-*.tmp")
	if err != nil {
		return
	}
	_, err = f.Write(append(m.seal(b.Bytes()), b.Bytes()...))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), m.name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// clean removes memos of any command line that have not been used for a long time.
func (m Memo) clean() {
	for _, pattern := range []string{"*.run", "run-*.tmp"} {
		names, _ := filepath.Glob(filepath.Join(filepath.Dir(m.name), pattern)) // the pattern is valid
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > unused {
				_ = os.Remove(name)
			}
		}
	}
}

// seal returns the authentication code of the data. It covers the name, so that a record of one memo is invalid in another.
func (m Memo) seal(data []byte) []byte {
	code := hmac.New(sha256.New, m.key)
	code.Write([]byte(filepath.Base(m.name)))
	code.Write(data)
	return code.Sum(nil)
}

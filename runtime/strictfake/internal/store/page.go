package store

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// Query selects the objects of a page.
type Query struct {
	// Revision is the revision of the list.
	Revision uint64
	// Namespace limits the list to a namespace. All namespaces are listed if it is empty.
	Namespace string
	// Matches reports whether an object belongs to the list. It is nil if all do.
	Matches func(*Record) bool
	// Limit is the maximum number of objects. It is 0 for no limit.
	Limit int64
	// Start is the key of the first object, as in Token. It is empty for the first page.
	Start string
}

// Page is a part of a list.
type Page struct {
	// Records are the objects, in list order.
	Records []*Record
	// Continue is the continue token of the next page. It is empty on the last page.
	Continue string
	// Remaining is the number of objects after this page. It is nil on the last page, or if it is not known which ones match.
	Remaining *int64
}

// Page returns a page of a list. It returns false if the revision is no longer kept.
func (s *Store) Page(r *Resource, q Query) (*Page, bool) {
	keys, objects, ok := s.at(r, q.Revision)
	if !ok {
		return nil, false
	}
	p := &Page{}
	var last Key
	for i, key := range keys {
		if q.Namespace != "" && key.Namespace != q.Namespace || q.Start != "" && q.path(key) < q.Start {
			continue
		}
		if q.Limit > 0 && int64(len(p.Records)) == q.Limit {
			// There is another page even if no object on it matches.
			p.Continue = Token{Revision: q.Revision, Start: q.path(last) + "\x00"}.Encode()
			if q.Matches == nil {
				p.Remaining = q.remaining(keys[i:])
			}
			return p, true
		}
		last = key
		if record := objects[key]; q.Matches == nil || q.Matches(record) {
			p.Records = append(p.Records, record)
		}
	}
	return p, true
}

// remaining returns how many of the keys belong to the namespace of the query.
func (q Query) remaining(keys []Key) *int64 {
	count := int64(0)
	for _, key := range keys {
		if q.Namespace == "" || key.Namespace == q.Namespace {
			count++
		}
	}
	return &count
}

// path returns a key as in continue tokens, relative to the namespace of the query.
func (q Query) path(key Key) string {
	if q.Namespace != "" || key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}

// Token is the content of a continue token.
type Token struct {
	// Revision is the revision of the list, or 0 for the latest.
	Revision uint64
	// Start is the key of the next object.
	Start string
}

// tokenVersion is the version of the format of continue tokens.
const tokenVersion = "meta.k8s.io/v1"

// encodedToken is the JSON form of a token. The latest revision is -1.
type encodedToken struct {
	Version  string `json:"v"`
	Revision int64  `json:"rv"`
	Start    string `json:"start"`
}

// Encode returns the token as clients receive it.
func (t Token) Encode() string {
	encoded := encodedToken{tokenVersion, int64(t.Revision), t.Start}
	if t.Revision == 0 {
		encoded.Revision = -1
	}
	data, _ := json.Marshal(encoded) //nolint:errchkjson // strings and numbers can be encoded
	return base64.RawURLEncoding.EncodeToString(data)
}

// ParseToken returns the content of a continue token.
func ParseToken(text string) (Token, error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return Token{}, fmt.Errorf("continue key is not valid: %w", err)
	}
	var token encodedToken
	if err := json.Unmarshal(data, &token); err != nil {
		return Token{}, fmt.Errorf("continue key is not valid: %w", err)
	}
	switch {
	case token.Version != tokenVersion:
		return Token{}, fmt.Errorf("continue key is not valid: server does not recognize this encoded version %s", token.Version)
	case token.Revision == 0:
		return Token{}, fmt.Errorf("continue key is not valid: incorrect encoded start resourceVersion (version %s)", tokenVersion)
	case token.Start == "":
		return Token{}, fmt.Errorf("continue key is not valid: encoded start key empty (version %s)", tokenVersion)
	}
	if key := "/" + strings.TrimPrefix(token.Start, "/"); path.Clean(key) != key {
		return Token{}, fmt.Errorf("continue key is not valid: %s", token.Start)
	}
	return Token{Revision: uint64(max(token.Revision, 0)), Start: token.Start}, nil
}

package defaults

import (
	"encoding/base64"
	"encoding/json"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/informer-gen-lite/informer-gen-lite/internal/core/gotype"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/shape"
)

// symbol returns the constant or variable that a marker refers to, as the file names it. It reports a missing symbol and returns "".
func (b *builder) symbol(m marker.Marker, pkg string, basic *types.Basic) string {
	name := referred(m)
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		pkg, name = name[:dot], name[dot+1:]
	}
	if pkg == "" {
		pkg = b.target.source.Path
	}
	pos := m.ValuePos(0)
	declaring := b.run.World.Package(pkg)
	switch own := pkg == b.target.source.Path; {
	case declaring == nil:
		b.diags.Add(pos, "package %s cannot be found", pkg)
	case declaring.Values[name] == nil:
		b.diags.AddHint(pos, "write +default=ref(import/path.Name)", "package %s has no constant or variable %s", pkg, name)
	case !own && !token.IsExported(name):
		b.diags.AddHint(pos, "export it", "constant or variable %s is not exported by package %s", name, pkg)
	case !own && b.imports(declaring):
		b.diags.AddHint(pos, "move it to a package that does not", "package %s, which has %s, imports this package", pkg, name)
	case own && isLocal(name):
		b.diags.AddHint(pos, "rename it", "%s is also the name of a variable in generated code", name)
	default:
		if value := b.run.World.Constant(declaring, name); value.Kind() != constant.Unknown && !representable(value, basic) {
			b.diags.Add(pos, "%s is %s, which cannot be a value of type %s", name, value, basic)
			return ""
		}
		return b.names.Of(pkg, name)
	}
	return ""
}

// representable reports whether a constant is a value of a type, or can be converted to it.
func representable(value constant.Value, basic *types.Basic) bool {
	info := basic.Info()
	switch value.Kind() {
	case constant.Bool:
		return info&types.IsBoolean != 0
	case constant.String:
		return info&types.IsString != 0
	case constant.Int, constant.Float:
		return info&types.IsNumeric != 0 && inRange(value, basic)
	}
	return false
}

// inRange reports whether a number is a value of a type of numbers.
func inRange(value constant.Value, basic *types.Basic) bool {
	if basic.Info()&types.IsInteger == 0 {
		return true
	}
	value = constant.ToInt(value)
	if value.Kind() != constant.Int {
		return false
	}
	size := types.SizesFor("gc", "amd64").Sizeof(basic) * 8
	if basic.Info()&types.IsUnsigned != 0 {
		return constant.Sign(value) >= 0 && int64(constant.BitLen(value)) <= size
	}
	lowest := constant.Shift(constant.MakeInt64(-1), token.SHL, uint(size-1))
	return int64(constant.BitLen(value)) < size || constant.Compare(value, token.EQL, lowest)
}

// literal returns the JSON in a marker as a Go expression; "" after reporting that it does not fit the type.
func (b *builder) literal(m marker.Marker, t *shape.Type, basic *types.Basic) string {
	var value any
	_ = json.Unmarshal([]byte(m.Value), &value) // value has checked it
	goValue := constant.MakeUnknown()
	switch v := value.(type) {
	case bool:
		goValue = constant.MakeBool(v)
	case string:
		goValue = constant.MakeString(v)
	case float64:
		goValue = number(m.Value)
	}
	if !representable(goValue, basic) {
		b.diags.Add(m.ValuePos(0), "+default=%s is not a value of type %s", m.Value, t.Short())
		return ""
	}
	text, isString := value.(string)
	if written, err := strconv.Unquote(m.Value); isString && (err != nil || written != text) {
		return strconv.Quote(text) // JSON knows other escapes
	}
	return m.Value
}

// number returns the value of a number in JSON.
func number(text string) constant.Value {
	text, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	kind := token.INT
	if strings.ContainsAny(text, ".eE") {
		kind = token.FLOAT
	}
	value := constant.MakeFromLiteral(text, kind, 0)
	if negative {
		return constant.UnaryOp(token.SUB, value, 0)
	}
	return value
}

// decodes reports whether JSON can be decoded into a variable of a type that can be nil, and reports why not.
func (b *builder) decodes(m marker.Marker, t *shape.Type) bool {
	var value any
	if err := json.Unmarshal([]byte(m.Value), &value); err != nil { // a reference
		b.diags.AddHint(m.ValuePos(0), "set the default in a handwritten function", "+default=%s: only numbers, texts and booleans can refer to "+
			"something, not %s", m.Value, t.Short())
		return false
	}
	switch t.Bare().Kind {
	case shape.Pointer, shape.Slice, shape.Map, shape.Interface:
	default:
		b.diags.AddHint(m.Pos, "use a pointer, or set the default in a handwritten function",
			"+default=%s cannot be set: a %s is never nil", m.Value, t.Short())
		return false
	}
	if !b.fits(value, t) {
		b.diags.Add(m.ValuePos(0), "+default=%s is not a value of type %s", m.Value, t.Short())
		return false
	}
	return true
}

// fits reports whether a JSON value can be a value of a type. It does not look into structs.
func (b *builder) fits(value any, t *shape.Type) bool {
	if value == nil || b.run.World.Encoding(t.GoType) != gotype.Structured {
		return true
	}
	all := func(elem *shape.Type, values ...any) bool {
		for _, v := range values {
			if !b.fits(v, elem) {
				return false
			}
		}
		return true
	}
	switch bare := t.Bare(); bare.Kind {
	case shape.Pointer:
		return b.fits(value, bare.Elem())
	case shape.Slice, shape.Array:
		list, ok := value.([]any)
		return ok && all(bare.Elem(), list...) || fitsBytes(value, bare.Elem())
	case shape.Map, shape.Struct:
		object, ok := value.(map[string]any)
		for _, v := range object {
			if bare.Kind == shape.Map && !b.fits(v, bare.Elem()) {
				return false
			}
		}
		return ok
	case shape.Builtin:
		return fitsBasic(value, bare.Basic())
	case shape.Interface:
		anything, ok := b.run.World.Underlying(bare.GoType).(*types.Interface)
		return ok && anything.Empty()
	}
	return false
}

// fitsBytes reports whether a JSON value is the base64 encoding of bytes, if that is what elements are.
func fitsBytes(value any, elem *shape.Type) bool {
	text, ok := value.(string)
	_, err := base64.StdEncoding.DecodeString(text)
	return ok && err == nil && types.Identical(elem.GoType, types.Typ[types.Byte])
}

// fitsBasic reports whether a JSON value is a value of a type.
func fitsBasic(value any, basic *types.Basic) bool {
	switch v := value.(type) {
	case bool:
		return basic.Info()&types.IsBoolean != 0
	case string:
		return basic.Info()&types.IsString != 0
	case float64:
		return basic.Info()&types.IsNumeric != 0 && inRange(constant.MakeFloat64(v), basic)
	}
	return false
}

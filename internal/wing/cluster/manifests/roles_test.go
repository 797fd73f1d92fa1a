package manifests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
)

// document returns a manifest in YAML. Metadata and the rest are in flow style.
func document(version, kind, metadata string, rest ...string) string {
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {%s}\n%s\n---\n", version, kind, metadata, strings.Join(rest, "\n"))
}

func rbac(kind, metadata string, rest ...string) string {
	return document("rbac.authorization.k8s.io/v1", kind, metadata, rest...)
}

// bound returns a binding of a role to the account a/robots.
func bound(kind, namespace, roleKind, role string) string {
	return rbac(kind, "name: robots, namespace: "+namespace, "roleRef: {kind: "+roleKind+", name: "+role+"}",
		"subjects: [{kind: ServiceAccount, name: robots, namespace: a}]")
}

func deploys(metadata, account string) string {
	return document("apps/v1", "Deployment", metadata, "spec: {template: {spec: {"+account+"}}}")
}

const getPods = "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"

func parse(t *testing.T, text string) *Stream {
	t.Helper()
	s, err := Parse("s.yaml", []byte(text))
	require.NoError(t, err)
	return s
}

// TestCheckRoles has a Deployment a/manager with the account a/robots that needs to get pods, in all namespaces or in namespace b.
func TestCheckRoles(t *testing.T) {
	t.Parallel()
	const everywhere, inB = "service account a/robots cannot get pods in all namespaces", "service account a/robots cannot get pods in namespace b"
	clusterRole, role := rbac("ClusterRole", "name: r", getPods), rbac("Role", "name: r, namespace: b", getPods)
	clusterBinding, binding := bound("ClusterRoleBinding", "", "ClusterRole", "r"), bound("RoleBinding", "b", "ClusterRole", "r")
	aggregated := rbac("ClusterRole", "name: r", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {to: r}}]}", "rules: []")
	part := rbac("ClusterRole", "name: part, labels: {to: r}", getPods)
	for name, test := range map[string]struct {
		text, namespace string
		missing         string
		superfluous     []string
	}{
		"cluster role":                {clusterRole + clusterBinding, "", "", nil},
		"for a namespace":             {clusterRole + clusterBinding, "b", "", []string{"to get pods in all namespaces"}},
		"nothing":                     {"", "", everywhere, nil},
		"role":                        {role + bound("RoleBinding", "b", "Role", "r"), "b", "", nil},
		"role, for all":               {role + bound("RoleBinding", "b", "Role", "r"), "", everywhere, nil},
		"cluster role in a namespace": {clusterRole + binding, "b", "", nil},
		"in another namespace":        {clusterRole + bound("RoleBinding", "c", "ClusterRole", "r"), "b", inB, []string{"to get pods in namespace c"}},
		"role of another namespace":   {role + bound("RoleBinding", "c", "Role", "r"), "b", inB, nil},
		"another kind of role":        {role + bound("RoleBinding", "b", "ClusterRole", "r"), "b", inB, nil},
		"another account":             {clusterRole + strings.Replace(clusterBinding, "namespace: a", "namespace: b", 1), "", everywhere, nil},
		"group": {clusterRole + strings.Replace(clusterBinding, "kind: ServiceAccount, name: robots, namespace: a",
			"kind: Group, name: 'system:serviceaccounts:a'", 1), "", "", nil},
		"group, superfluous": {strings.Replace(clusterRole, "[get]", "[get, list]", 1) + strings.Replace(clusterBinding,
			"kind: ServiceAccount, name: robots, namespace: a", "kind: Group, name: 'system:authenticated'", 1), "", "", nil},
		"user": {clusterRole + strings.Replace(clusterBinding, "kind: ServiceAccount, name: robots, namespace: a",
			"kind: User, name: 'system:serviceaccount:a:robots'", 1), "", "", nil},
		"aggregated":          {aggregated + part + clusterBinding, "", "", nil},
		"aggregated, twice":   {aggregated + rbac("ClusterRole", "name: x, labels: {to: r}", "aggregationRule: {clusterRoleSelectors: [{matchExpressions: [{key: to, operator: Exists}]}]}") + part + clusterBinding, "", "", nil},
		"aggregates another":  {aggregated + strings.Replace(part, "to: r", "to: x", 1) + clusterBinding, "", everywhere, nil},
		"rules of aggregated": {strings.Replace(aggregated, "rules: []", getPods, 1) + clusterBinding, "", everywhere, nil},
		"cluster-admin":       {bound("ClusterRoleBinding", "", "ClusterRole", "cluster-admin"), "", "", []string{"to * *.* in all namespaces", "to * * in all namespaces"}},
		"unknown":             {bound("ClusterRoleBinding", "", "ClusterRole", "edit"), "", everywhere + "\n\tbind a role to the account with a ClusterRoleBinding in all namespaces; not in the stream, and so unknown: ClusterRole/edit", nil},
		"list of roles":       {"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleList\nitems: [{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r}, " + getPods + "}]\n---\n" + clusterBinding, "", "", nil},
		"JSON":                {`{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r"}, "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}` + "\n---\n" + clusterBinding, "", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kind := "ClusterRole"
			if test.namespace != "" {
				kind = "Role"
			}
			needs := Needs{Deployments: []string{"m"}, Roles: parse(t, rbac(kind, "name: manager-role, namespace: "+test.namespace, getPods))}
			got := parse(t, deploys("name: m, namespace: a", "serviceAccountName: robots")+test.text).CheckRoles([]Needs{needs})
			var missing string
			var superfluous []string
			for _, d := range got {
				if d.Warning {
					_, what, _ := strings.Cut(strings.TrimSuffix(d.Message, ", which no controller needs"), "robots ")
					superfluous = append(superfluous, what)
				} else if missing = d.Message; strings.Contains(test.missing, "\n") {
					missing = d.String()
				}
			}
			assert.Equal(t, test.missing, missing)
			assert.Equal(t, test.superfluous, superfluous)
		})
	}
}

// TestOutputs has two outputs whose controllers run in one Deployment.
func TestOutputs(t *testing.T) {
	t.Parallel()
	one, two := getPods, strings.Replace(getPods, "pods", "secrets", 1)
	needs := []Needs{
		{Deployments: []string{"m"}, Roles: parse(t, rbac("ClusterRole", "name: one", one))},
		{Deployments: []string{"m"}, Roles: parse(t, rbac("ClusterRole", "name: two", two))},
	}
	text := deploys("name: m, namespace: a", "serviceAccountName: robots") + rbac("ClusterRole", "name: r", strings.TrimSuffix(one, "]")+
		strings.Replace(two, "rules: [", ", ", 1)) + bound("ClusterRoleBinding", "", "ClusterRole", "r")
	assert.Empty(t, parse(t, text).CheckRoles(needs))
	assert.Len(t, parse(t, text).CheckRoles(needs[:1]), 1)
}

func TestAllows(t *testing.T) {
	t.Parallel()
	rule := func(groups, resources, verbs, names string) rbacv1.PolicyRule {
		r := rbacv1.PolicyRule{APIGroups: strings.Split(groups, ","), Resources: strings.Split(resources, ","), Verbs: strings.Split(verbs, ",")}
		if names != "" {
			r.ResourceNames = strings.Split(names, ",")
		}
		return r
	}
	urls := func(urls ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{Verbs: []string{"get"}, NonResourceURLs: urls}
	}
	get := access{group: "apps", resource: "deployments", verb: "get"}
	status, named, url := get, get, access{url: "/metrics/a", verb: "get"}
	status.resource, named.name = "deployments/status", "x"
	for name, test := range map[string]struct {
		rule rbacv1.PolicyRule
		a    access
		want bool
	}{
		"same":                 {rule("apps", "deployments", "get", ""), get, true},
		"verb":                 {rule("apps", "deployments", "list", ""), get, false},
		"group":                {rule("", "deployments", "get", ""), get, false},
		"resource":             {rule("apps", "deployments/status", "get", ""), get, false},
		"all":                  {rule("*", "*", "*", ""), get, true},
		"all subresources":     {rule("*", "*", "*", ""), status, true},
		"subresource":          {rule("apps", "deployments", "get", ""), status, false},
		"of any resource":      {rule("apps", "*/status", "get", ""), status, true},
		"another of any":       {rule("apps", "*/scale", "get", ""), status, false},
		"any of one resource":  {rule("apps", "deployments/*", "get", ""), status, false}, // RBAC has no such wildcard
		"name":                 {rule("apps", "deployments", "get", "x"), named, true},
		"another name":         {rule("apps", "deployments", "get", "y"), named, false},
		"all names":            {rule("apps", "deployments", "get", ""), named, true},
		"one name, all needed": {rule("apps", "deployments", "get", "x"), get, false},
		"URL":                  {urls("/metrics/a"), url, true},
		"all URLs":             {urls("*"), url, true},
		"URLs below":           {urls("/metrics/*"), url, true},
		"another URL":          {urls("/metrics"), url, false},
		"no URL":               {rule("*", "*", "*", ""), url, false},
		"no resource":          {urls("*"), get, false},
	} {
		assert.Equal(t, test.want, allows(test.rule, test.a), name)
	}
}

// TestWorkloads has workloads of all kinds. Two workloads have the same name.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	run := func(kind, name string) string {
		return strings.Replace(deploys("name: "+name+", namespace: a", "serviceAccountName: "+strings.ToLower(kind)), "Deployment", kind, 1)
	}
	stream := parse(t, run("StatefulSet", "m")+run("Deployment", "m")+run("DaemonSet", "agent")+run("ReplicaSet", "r"))
	assert.Equal(t, []string{"Deployment/m", "StatefulSet/m", "agent"}, stream.Workloads())
	assert.Equal(t, []string{"DaemonSet/m", "r"}, stream.Lacking([]string{"m", "StatefulSet/m", "DaemonSet/m", "agent", "r"}))

	needs := Needs{Controllers: []string{"agent"}, Roles: parse(t, rbac("ClusterRole", "name: agent", getPods)+
		rbac("ClusterRole", "name: other", strings.Replace(getPods, "pods", "secrets", 1)))}
	for name, want := range map[string][]string{
		"m":               {"a/statefulset cannot get pods", "a/statefulset cannot get secrets", "a/deployment cannot get pods", "a/deployment cannot get secrets"},
		"StatefulSet/m":   {"a/statefulset cannot get pods", "a/statefulset cannot get secrets"},
		"DaemonSet/agent": {"a/daemonset cannot get pods", "a/daemonset cannot get secrets"},
	} {
		needs.Deployments = []string{name}
		var got []string
		for _, d := range stream.CheckRoles([]Needs{needs}) {
			got = append(got, strings.NewReplacer("service account ", "", " in all namespaces", "").Replace(d.Message))
		}
		assert.Equal(t, want, got, name)
	}
	needs.Deployments = []string{"DaemonSet/agent", "StatefulSet/m"} // the first is named after a controller
	assert.Len(t, stream.CheckRoles([]Needs{needs}), 3)
}

// TestJSON has roles in JSON documents without separators, also in a list, and positions in them.
func TestJSON(t *testing.T) {
	t.Parallel()
	role := func(name string) string {
		return `{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "` + name + `"}` + ",\n\t\"rules\": []}"
	}
	list := `{"kind": "List", "items": [` + role("d") + ", " + role("e") + "]}"
	for name, test := range map[string]struct{ text, want string }{
		"lines":     {role("a") + "\n" + role("b") + "\n", "1:1 a, 3:1 b"},
		"one line":  {role("a") + role("b") + " " + role("c"), "1:1 a, 2:14 b, 3:15 c"},
		"list":      {role("a") + "\n\n" + list + "\n" + role("f"), "1:1 a, 4:1 , 4:28 d, 5:16 e, 7:1 f"},
		"separator": {"---\n" + role("a") + "\n---\n" + role("b") + role("c"), "2:1 a, 5:1 b, 6:14 c"},
		"then YAML": {role("a") + role("b") + "\n---\n" + rbac("Role", "name: c"), "1:1 a, 2:14 b, 5:1 c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, o := range parse(t, test.text).Objects {
				pos := o.At()
				got = append(got, fmt.Sprintf("%d:%d %s", pos.Line, pos.Column, o.Metadata.Name))
			}
			assert.Equal(t, test.want, strings.Join(got, ", "))
		})
	}
	_, err := Parse("s.yaml", []byte(role("a")+role("b")+"\n{\"c\": [d"))
	assert.ErrorContains(t, err, "s.yaml:5:1: document 3: ")
}

// TestControllers has roles for two controllers and for markers.
func TestControllers(t *testing.T) {
	t.Parallel()
	needs := Needs{Controllers: []string{"robot-controller", "yard-controller"}, Leases: map[string]string{"robot-controller-leases": "robot-controller"}, Roles: parse(t,
		rbac("ClusterRole", "name: robot-controller", strings.Replace(getPods, "pods", "robots", 1))+
			rbac("ClusterRole", "name: robot-controller-leases", strings.Replace(getPods, "pods", "leases", 1))+
			rbac("ClusterRole", "name: yard-controller", strings.Replace(getPods, "pods", "yards", 1))+
			rbac("ClusterRole", "name: manager-role", getPods))}
	for name, test := range map[string]struct {
		deployments []string
		want        []string
	}{
		"one for all":  {[]string{"manager"}, []string{"a/x: leases in namespace a", "a/x: pods in all namespaces", "a/x: robots in all namespaces", "a/x: yards in all namespaces"}},
		"one of two":   {[]string{"my-robot-controller"}, []string{"a/x: leases in namespace a", "a/x: pods in all namespaces", "a/x: robots in all namespaces"}},
		"one for each": {[]string{"robot-controller", "yard-controller"}, []string{"a/x: leases in namespace a", "a/x: pods in all namespaces", "a/x: robots in all namespaces", "a/x: yards in all namespaces"}},
		"one and rest": {[]string{"yard-controller", "manager"}, []string{"a/x: leases in namespace a", "a/x: pods in all namespaces", "a/x: robots in all namespaces", "a/x: yards in all namespaces"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs := needs
			needs.Deployments = test.deployments
			var text string
			for _, d := range test.deployments {
				text += deploys("name: "+d+", namespace: a", "serviceAccount: x")
			}
			var got []string
			for _, d := range parse(t, text).CheckRoles([]Needs{needs}).Sorted("") {
				got = append(got, strings.NewReplacer("service account ", "", " cannot get", ":").Replace(d.Message))
			}
			assert.Equal(t, test.want, got)
		})
	}
}

// TestUnnamedNamespace has Deployments and bindings without a namespace.
func TestUnnamedNamespace(t *testing.T) {
	t.Parallel()
	needs := Needs{Deployments: []string{"m"}, Roles: parse(t, rbac("ClusterRole", "name: r-leases", getPods)), Leases: map[string]string{"r-leases": "r"}}
	subject := func(namespace string) string {
		return rbac("RoleBinding", "name: r", "roleRef: {kind: Role, name: r}", "subjects: [{kind: ServiceAccount, name: default"+namespace+"}]")
	}
	role := rbac("Role", "name: r", getPods)
	for name, test := range map[string]struct {
		text    string
		missing bool
	}{
		"nowhere":           {subject(""), false},
		"of the release":    {subject(", namespace: shop"), false},
		"of two releases":   {subject(", namespace: shop") + subject(", namespace: bank"), true},
		"of other accounts": {strings.ReplaceAll(subject(", namespace: shop"), "name: default", "name: x"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stream := parse(t, deploys("name: m", "")+role+test.text)
			assert.Equal(t, test.missing, stream.CheckRoles([]Needs{needs}).Failed())
		})
	}
}

func TestBundle(t *testing.T) {
	t.Parallel()
	bundle := func(mode, list string) string {
		return document("operators.coreos.com/v1alpha1", "ClusterServiceVersion", "name: v1, namespace: placeholder",
			"spec: {installModes: [{type: "+mode+", supported: true}], install: {spec: {deployments: [{name: m, spec: {template: {spec: {serviceAccountName: x}}}}], "+
				list+": [{serviceAccountName: x, "+getPods+"}]}}}")
	}
	for name, test := range map[string]struct {
		text, need string
		missing    bool
	}{
		"cluster":              {bundle("OwnNamespace", "clusterPermissions"), "ClusterRole", false},
		"namespaces":           {bundle("OwnNamespace", "permissions"), "ClusterRole", true},
		"lifted":               {bundle("AllNamespaces", "permissions"), "ClusterRole", false},
		"some namespace":       {bundle("OwnNamespace", "permissions"), "Role", false},
		"of another account":   {strings.Replace(bundle("OwnNamespace", "permissions"), "[{serviceAccountName: x", "[{serviceAccountName: y", 1), "Role", true},
		"all, for a namespace": {bundle("OwnNamespace", "clusterPermissions"), "Role", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needs := Needs{Deployments: []string{"m"}, Roles: parse(t, rbac(test.need, "name: r, namespace: b", getPods))}
			assert.Equal(t, test.missing, parse(t, test.text).CheckRoles([]Needs{needs}).Failed())
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"text":      {"a: b\n---\nError: nope\n---\njust text\n", "s.yaml:5:1: document 3 is not a manifest"},
		"duplicate": {rbac("Role", "name: r, name: s"), "s.yaml:1:1: document 1, Role/"},
		"types":     {rbac("Role", "name: r", "rules: x"), "s.yaml:1:1: document 1, Role/r: cannot unmarshal"},
		"items":     {"kind: AllowList\nitems: [a, b]", ""},
		"separator": {"--- # empty\n--- {a: b}\n---\nc: [d", "s.yaml:5:1: document 2"},
		"repeated":  {"kind: A\nspec: {}\nkind: B\nspec: {}\n", "s.yaml:3:1: document 1 has the key kind twice"},
		"syntax":    {"a: b\n---\n\tx: y", "s.yaml:3:1: document 2: "},
		"foreign":   {document("v1", "ConfigMap", "name: 1", "data: {1: x}") + document("example.com/v1", "Role", "name: r", "rules: x"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("s.yaml", []byte(test.text))
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, test.want)
		})
	}
}

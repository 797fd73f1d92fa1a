package contract

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// addFive creates five relays. Those with odd numbers have the label odd.
func (p *P) addFive() {
	for i := range 5 {
		labels := map[string]string{"run": p.id}
		if i%2 == 1 {
			labels["odd"] = "true"
		}
		p.add(fmt.Sprintf("r%d", i), labeled(labels))
	}
}

// pages records all pages of a list.
func (p *P) pages(options metav1.ListOptions) {
	const atMost = 10
	for range atMost {
		options.Continue = p.showList("page", options).Continue
		if options.Continue == "" {
			return
		}
	}
	p.printf("no end")
}

var pageProbes = group("list",
	probe("pages", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 2})
	}),
	probe("pages-that-end-evenly", func(p *P) {
		p.addThree()
		p.pages(metav1.ListOptions{Limit: 3})
		p.pages(metav1.ListOptions{Limit: 4})
	}),
	probe("pages-with-label-selector", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 1, LabelSelector: "odd"})
	}),
	probe("pages-with-field-selector", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 2, FieldSelector: "metadata.name!=r1"})
	}),
	probe("page-without-match", func(p *P) {
		p.addFive()
		p.pages(metav1.ListOptions{Limit: 2, LabelSelector: "odd=no"})
	}),
	probe("page-of-one-version", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 2})
		second := p.showList("second", metav1.ListOptions{Limit: 2, Continue: first.Continue})
		p.printf("version: %s", compare(first.ResourceVersion, second.ResourceVersion))
	}),
	probe("pages-are-a-snapshot", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 2})
		p.drop("r3")
		p.add("r21")
		p.edit("r4", setMTU(9000))
		second := p.showList("second", metav1.ListOptions{Limit: 2, Continue: first.Continue})
		rest := p.showList("third", metav1.ListOptions{Limit: 2, Continue: second.Continue})
		for i := range rest.Items {
			p.show(rest.Items[i].Name, rest.Items[i].Spec)
		}
		p.printf("version: %s", compare(first.ResourceVersion, rest.ResourceVersion))
	}),
	probe("continue-used-twice", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 2})
		p.showList("second", metav1.ListOptions{Limit: 2, Continue: first.Continue})
		p.showList("again", metav1.ListOptions{Limit: 2, Continue: first.Continue})
	}),
	probe("continue-with-other-limit", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 1})
		p.showList("three more", metav1.ListOptions{Limit: 3, Continue: first.Continue})
		p.showList("without a limit", metav1.ListOptions{Continue: first.Continue})
	}),
	probe("continue-with-other-selector", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 1})
		p.showList("second", metav1.ListOptions{Limit: 2, Continue: first.Continue, LabelSelector: "odd"})
	}),
	probe("continue-with-version", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 1})
		p.showList("the version of the page", metav1.ListOptions{Limit: 1, Continue: first.Continue, ResourceVersion: first.ResourceVersion})
		p.showList("zero", metav1.ListOptions{Limit: 1, Continue: first.Continue, ResourceVersion: "0"})
	}),
	probe("continue-with-match", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 1})
		p.showList("second", metav1.ListOptions{
			Limit: 1, Continue: first.Continue, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
	}),
	probe("continue-garbage", func(p *P) {
		p.add("a")
		p.showList("not base64", metav1.ListOptions{Limit: 1, Continue: "!"})
		p.showList("not JSON", metav1.ListOptions{Limit: 1, Continue: "aGVsbG8"})
		p.showList("without a limit", metav1.ListOptions{Continue: "!"})
	}),
	probe("continue-of-other-namespace", func(p *P) {
		p.addFive()
		first := p.showList("first", metav1.ListOptions{Limit: 2})
		_, err := p.relaysIn(p.other).Create(p.ctx, relay("r9"), create)
		p.must("create", err)
		list, err := p.relaysIn(p.other).List(p.ctx, metav1.ListOptions{Limit: 2, Continue: first.Continue})
		if p.err("other namespace", err) {
			p.printf("%v", names(list))
		}
	}),
	probe("pages-of-all-namespaces", func(p *P) {
		run := labeled(map[string]string{"run": p.id})
		for _, namespace := range []string{p.other, p.namespace} {
			for _, name := range []string{"b", "a"} {
				_, err := p.relaysIn(namespace).Create(p.ctx, relay(name, run), create)
				p.must("create", err)
			}
		}
		options := metav1.ListOptions{LabelSelector: "run=" + p.id, Limit: 3}
		for page := 1; page == 1 || options.Continue != ""; page++ {
			list, err := p.relaysIn("").List(p.ctx, options)
			p.must("list", err)
			for i := range list.Items {
				p.printf("page %d: %s/%s", page, list.Items[i].Namespace, list.Items[i].Name)
			}
			options.Continue = list.Continue
		}
	}),
	probe("pages-at-exact-version", func(p *P) {
		p.addFive()
		before := p.showList("before", all)
		p.drop("r0")
		first := p.showList("first", metav1.ListOptions{
			Limit: 3, ResourceVersion: before.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		})
		p.showList("second", metav1.ListOptions{Limit: 3, Continue: first.Continue})
	}),
	probe("exact-old-with-selector", func(p *P) {
		p.addFive()
		before := p.showList("before", all)
		p.edit("r1", labeled(nil))
		p.showList("now", metav1.ListOptions{LabelSelector: "odd"})
		p.showList("exact", metav1.ListOptions{
			LabelSelector: "odd", ResourceVersion: before.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact,
		})
	}),
)

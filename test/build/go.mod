module github.com/informer-gen-lite/informer-gen-lite/test/build

go 1.26.0

require (
	github.com/informer-gen-lite/informer-gen-lite v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	go.yaml.in/yaml/v2 v2.4.4 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)

replace github.com/informer-gen-lite/informer-gen-lite => ../..

package config

import "github.com/informer-gen-lite/informer-gen-lite/internal/module"

// Until package migrate uses package module.

type Place = module.Place

var (
	OwningModule = module.Owner
	ImportPathOf = module.ImportPath
	Within       = module.Within
	AnyWithin    = module.AnyWithin
)

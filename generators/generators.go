// Package generators has the table of all products. Generators turn the model of an API into files.
package generators

import (
	"github.com/informer-gen-lite/informer-gen-lite/generators/applyconfiguration"
	"github.com/informer-gen-lite/informer-gen-lite/generators/clientset"
	"github.com/informer-gen-lite/informer-gen-lite/generators/controller"
	"github.com/informer-gen-lite/informer-gen-lite/generators/conversion"
	"github.com/informer-gen-lite/informer-gen-lite/generators/deepcopy"
	"github.com/informer-gen-lite/informer-gen-lite/generators/defaults"
	"github.com/informer-gen-lite/informer-gen-lite/generators/informers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/listers"
	"github.com/informer-gen-lite/informer-gen-lite/generators/register"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/marker"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/model"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/option"
	"github.com/informer-gen-lite/informer-gen-lite/internal/core/product"
	conversions "github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/conversion"
	deepcopies "github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/deepcopy"
	defaulters "github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/defaults"
	registrations "github.com/informer-gen-lite/informer-gen-lite/internal/core/resolve/register"
)

// All is the table of products, in the order in which their output builds on each other.
var All = product.Table{{
	Name: product.DeepCopy, Program: "deepcopy", Plural: "deep copies", PackageFile: deepcopies.File, AnyName: true,
	Marker: marker.DeepCopyGen + "=", InPackage: &deepcopies.InPackage, Jobs: deepcopy.Jobs,
}, {
	Name: product.Defaults, Program: "defaulter", Plural: "defaults", PackageFile: defaulters.File, AnyName: true,
	Marker: marker.DefaulterGen + "=", InPackage: &defaulters.InPackage, Jobs: defaults.Jobs,
}, {
	Name: product.Register, Program: "register", Function: "kube::codegen::gen_register", Plural: "registrations",
	PackageFile: registrations.File, Marker: marker.GroupName, InPackage: &registrations.InPackage, Jobs: register.Jobs,
}, {
	Name: product.Conversion, Program: "conversion", Plural: "conversions", PackageFile: conversions.File, AnyName: true,
	Marker: marker.ConversionGen + "=", InPackage: &conversions.InPackage, Jobs: conversion.Jobs,
}, {
	Name: product.Apply, Program: "applyconfiguration", Plural: "apply configurations",
	Folder: func(layout *model.Layout) string { return layout.ApplyConfigurationDir }, Jobs: applyconfiguration.Jobs,
}, {
	Name: product.Clientset, Program: "client", Plural: "clientsets", Clients: true,
	Folder: func(layout *model.Layout) string { return layout.Clientset }, Jobs: clientset.Jobs,
}, {
	Name: product.Listers, Program: "lister", Plural: "listers", Clients: true,
	Folder: func(layout *model.Layout) string { return layout.Listers }, Jobs: listers.Jobs,
}, {
	Name: product.Informers, Program: "informer", Plural: "informers", Clients: true,
	Folder: func(layout *model.Layout) string { return layout.Informers }, Jobs: informers.Jobs,
}, {
	Name: product.Controller, Plural: "controllers", Clients: true,
	Folder: func(layout *model.Layout) string { return layout.Controllers }, Jobs: controller.Jobs,
}, {
	Name: product.CRD, Plural: "CustomResourceDefinitions",
	Manifests: func(values option.Values) string { return values.CRDOutputDir }, ManifestsDir: option.DefaultCRDs,
}, {
	Name: product.RBAC, Plural: "roles",
	Manifests: func(values option.Values) string { return values.RBACOutputDir }, ManifestsDir: option.DefaultRoles,
}}

package crdfake

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/klog/v2"
)

// accepted has the SHA-256 hashes of definitions that are valid. Suites use the same ones in every test, and rules take long to compile.
var accepted sync.Map

// accept returns a definition with its defaults, or a server's error for a definition that it refuses.
func accept(crd *apiextensionsv1.CustomResourceDefinition) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd = crd.DeepCopy()
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(crd)
	text, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(text)
	if _, ok := accepted.Load(hash); ok {
		return crd, nil
	}
	if err := validate(crd); err != nil {
		return nil, err
	}
	accepted.Store(hash, true)
	return crd, nil
}

// validate returns a server's error for a definition that it refuses. It only logs what is wrong with printer columns, because fakes print
// no tables.
func validate(crd *apiextensionsv1.CustomResourceDefinition) error {
	checked := &apiextensions.CustomResourceDefinition{}
	err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd.DeepCopy(), checked, nil)
	if err != nil {
		return err
	}
	checked.Status = apiextensions.CustomResourceDefinitionStatus{}
	if problems := takeColumns(checked); len(problems) > 0 {
		klog.Background().Info("Printer columns of a CustomResourceDefinition are invalid, a server refuses it",
			"definition", crd.Name, "err", problems.ToAggregate())
	}
	for _, version := range checked.Spec.Versions {
		if version.Storage {
			checked.Status.StoredVersions = []string{version.Name} // as a server does at create
			break
		}
	}
	if errs := validation.ValidateCustomResourceDefinition(context.Background(), checked); len(errs) > 0 {
		return apierrors.NewInvalid(apiextensions.Kind("CustomResourceDefinition"), crd.Name, errs)
	}
	return nil
}

// takeColumns removes the printer columns of all versions, and returns what is wrong with them.
func takeColumns(crd *apiextensions.CustomResourceDefinition) (errs field.ErrorList) {
	check := func(columns []apiextensions.CustomResourceColumnDefinition, path *field.Path) {
		for i := range columns {
			at := path.Child("additionalPrinterColumns").Index(i)
			errs = append(errs, validation.ValidateCustomResourceColumnDefinition(&columns[i], at)...)
		}
	}
	spec := field.NewPath("spec")
	check(crd.Spec.AdditionalPrinterColumns, spec) // those that all versions share
	crd.Spec.AdditionalPrinterColumns = nil
	for i := range crd.Spec.Versions {
		version := &crd.Spec.Versions[i]
		check(version.AdditionalPrinterColumns, spec.Child("versions").Index(i))
		version.AdditionalPrinterColumns = nil
	}
	return errs
}

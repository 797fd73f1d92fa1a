// Package conversiontest checks that conversions between the versions of a kind lose nothing. One line in a test is enough:
//
//	func TestRobotConversion(t *testing.T) { conversiontest.RoundTrip[v1.Robot, v1beta1.Robot](t) }
//
// Servers store objects in one version and serve them in all. An object that a client writes in one version and reads in another must
// come back complete: a controller that reads v1beta1, changes a label and writes it back must not remove what only v1 can say. Kubernetes
// demands this of every API with several versions; fields that a version lacks are kept in an annotation.
//
// # What is tested
//
// [RoundTrip] fills objects at random and converts each of them to the other version and back: hub to spoke to hub, and spoke to hub to
// spoke. Between the two conversions, objects are encoded to JSON and decoded, as they are on a server. The test fails if the JSON
// differs in the end, and names the path of each field that was lost, gained or changed, with an example:
//
//	v1.Robot → v1beta1.Robot → v1.Robot loses 1 field (seed 1, 100 iterations):
//		spec.arms[*].color: lost "red", first in iteration 0
//
// In paths, [*] stands for the elements of a list or map. Three differences do not count: the kind and API version of the object,
// annotations that were added, and null, which is no value of a list or map on a server, in place of an empty one.
//
// # How objects are converted
//
// By the methods ConvertTo and ConvertFrom of the spoke, if the hub has a method Hub. These are the interfaces Convertible and Hub of
// controller-runtime, which this package does not import. With [WithScheme], by the functions that are registered in a scheme, such as
// functions of conversion-gen. A hub of version __internal, which no server stores, does not pass through JSON.
//
// # Values
//
// Values are valid in JSON: times in seconds, quantities, JSON objects in a RawExtension. Every fourth object has all fields set, the
// others a random part of them, and zero values. Conversions that return an error for unknown values, for example of an enumeration,
// need functions that fill in known ones: see [WithFuncs]. The values depend on the seed alone, so a test that fails does so every time.
package conversiontest

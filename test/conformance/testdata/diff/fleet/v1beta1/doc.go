// +groupName=fleet.example.com
package v1beta1

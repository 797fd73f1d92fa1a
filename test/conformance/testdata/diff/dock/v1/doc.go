// +groupName=dock.example.com
package v1

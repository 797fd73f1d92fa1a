// Package strictfake makes fake clientsets answer as an API server.
package strictfake

// Package config reads the command line and .informer-gen.yaml into plain values, and locates the configuration file and the module.
// It reads these files and go.mod, and writes nothing.
//
// Each option is a row of Options. Commands register Values and use a CommandLine, which merges the configuration file. Programs
// fill in Values.
package config

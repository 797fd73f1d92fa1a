// Package config locates the configuration file, and reads it and the command line into plain values. It writes nothing.
//
// Each option is a row of Options. Commands register Values and use a CommandLine, which merges the configuration file. Programs
// fill in Values.
package config

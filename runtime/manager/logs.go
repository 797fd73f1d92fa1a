package manager

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"sync/atomic"

	klog "k8s.io/klog/v2"
)

// verbosity is the verbosity of klog, and level the same for slog.
var (
	verbosity atomic.Int64
	level     slog.LevelVar
)

// setupLogs makes klog and slog write text or JSON to stderr.
func setupLogs(format string, v int) error {
	handler := &slog.HandlerOptions{Level: &level}
	logger := slog.New(slog.NewTextHandler(os.Stderr, handler))
	if format == "json" {
		logger = slog.New(slog.NewJSONHandler(os.Stderr, handler))
	}
	slog.SetDefault(logger)
	klog.SetSlogLogger(logger)
	return setVerbosity(strconv.Itoa(v))
}

// setVerbosity sets the verbosity of the log, while the process runs.
func setVerbosity(text string) error {
	v, err := strconv.ParseUint(text, 10, 7)
	if err != nil {
		return fmt.Errorf("the verbosity must be a number from 0 to 127, not %q", text)
	}
	var all klog.Level
	if err := all.Set(text); err != nil {
		return err
	}
	verbosity.Store(int64(v))
	level.Set(slog.Level(-int(v)))
	return nil
}

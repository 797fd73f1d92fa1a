package program

import (
	"context"
	"errors"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// readyTimeout is ample time for a start, on any machine.
const readyTimeout = 2 * time.Minute

// WaitReady waits until the server at config reports that it is ready. It gives up when ended is closed.
func WaitReady(ctx context.Context, config *rest.Config, ended <-chan struct{}) error {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	return wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, readyTimeout, true, func(ctx context.Context) (bool, error) {
		select {
		case <-ended:
			return false, errors.New("the API server stopped before it was ready")
		default:
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Host+"/readyz", nil)
		if err != nil {
			return false, err
		}
		response, err := client.Do(request)
		if err != nil {
			return false, nil // not listening yet
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
}

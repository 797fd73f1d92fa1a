// Command guestbook keeps the status of every guestbook up to date.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"k8s.io/client-go/tools/clientcmd"

	"example.com/guestbook/internal/controller"
	"example.com/guestbook/pkg/generated/clientset/versioned"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return err
	}
	client, err := versioned.NewForConfig(config)
	if err != nil {
		return err
	}
	return controller.New(client).Run(ctx)
}

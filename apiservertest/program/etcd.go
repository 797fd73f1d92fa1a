package program

import (
	"context"
	"net/url"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/zap"
)

// StartEtcd runs a single-member etcd on the data in dir, on ports that the kernel chooses. It listens on loopback
// without authentication.
func StartEtcd(ctx context.Context, dir string) (*embed.Etcd, error) {
	loopback := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = dir
	config.ListenClientUrls, config.AdvertiseClientUrls = loopback, loopback
	config.ListenPeerUrls, config.AdvertisePeerUrls = loopback, loopback
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	// A single member need not wait for others: with the default tick it would take a second to elect itself.
	config.TickMs, config.ElectionMs = 10, 100
	// Without fsync, written data survives SIGKILL, but not a crash of the machine.
	config.UnsafeNoFsync = true
	config.EnableGRPCGateway = false
	// The API server's watch cache relies on regular progress notifications from etcd.
	config.WatchProgressNotifyInterval = 5 * time.Second
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(zap.NewNop())
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	select {
	case <-etcd.Server.ReadyNotify():
		return etcd, nil
	case err = <-etcd.Err():
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	etcd.Close()
	return nil, err
}

// EtcdURLs returns the client URLs of an etcd.
func EtcdURLs(etcd *embed.Etcd) []string {
	return []string{"http://" + etcd.Clients[0].Addr().String()}
}

package apiserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	genericapiserver "k8s.io/apiserver/pkg/server"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// Certificate returns the paths of a server's certificate and key.
func Certificate(dir string) (cert, key string) {
	path := filepath.Join(program.CertificateDir(dir), program.CertName)
	return path + ".crt", path + ".key"
}

// writeCertificate writes a certificate for clients, and for the server as its own client, if it does not exist. The
// RSA keys that the API server would generate take a quarter of a second.
func writeCertificate(dir string) error {
	certFile, keyFile := Certificate(dir)
	if _, err := os.Stat(keyFile); err == nil {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "apiservertest"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().AddDate(10, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		DNSNames:              []string{"localhost", genericapiserver.LoopbackClientServerNameOverride},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		os.MkdirAll(filepath.Dir(certFile), 0o700),
		os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), 0o600),
	)
}

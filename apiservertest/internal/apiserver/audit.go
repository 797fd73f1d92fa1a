package apiserver

import (
	"os"

	auditinternal "k8s.io/apiserver/pkg/apis/audit"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/apiserver/pkg/audit/policy"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapiserver "k8s.io/apiserver/pkg/server"
	auditlog "k8s.io/apiserver/plugin/pkg/audit/log"

	"github.com/informer-gen-lite/informer-gen-lite/apiservertest/program"
)

// newAuditPolicy returns a policy that logs all client requests when they are answered, and watches when they start.
// The evaluator modifies it, so servers cannot share one.
func newAuditPolicy() *auditinternal.Policy {
	return &auditinternal.Policy{
		Rules: []auditinternal.PolicyRule{
			{Level: auditinternal.LevelNone, Users: []string{user.APIServerUser}}, // the server's own
			{Level: auditinternal.LevelNone, NonResourceURLs: []string{"/healthz*", "/livez*", "/readyz*"}},
			{Level: auditinternal.LevelMetadata, OmitStages: []auditinternal.Stage{auditinternal.StageRequestReceived}},
		},
	}
}

// applyAudit configures the audit log in the server's directory.
func (l *Local) applyAudit(generic *genericapiserver.Config) error {
	file, err := os.OpenFile(program.AuditLog(l.options.Dir), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	l.audit = file
	generic.AuditBackend = auditlog.NewBackend(file, auditlog.FormatJson, auditv1.SchemeGroupVersion)
	generic.AuditPolicyRuleEvaluator = policy.NewPolicyRuleEvaluator(newAuditPolicy())
	return nil
}

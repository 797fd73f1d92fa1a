package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// release is one version of all published modules.
type release struct {
	repository repository
	version    string
	// head is the commit to release, and tags are the existing tags with their commits.
	head string
	tags map[string]string
	// all are the modules of the repository, and modules the published ones in the order of their tags.
	all, modules []*module
	// notes are the changelog's entry, and incompatible changes of the API.
	notes  string
	dryRun bool
	// committed is true if the release has a commit on top of HEAD.
	committed bool
	// out is told what happens.
	out io.Writer
	// work is a temporary directory. It has the clone with the commit and the tags, and all that the go command downloads.
	work string
}

// repository is the directory of a git repository.
type repository string

// git returns what a git command prints.
func (r repository) git(ctx context.Context, args ...string) (string, error) {
	return command(ctx, string(r), nil, "git", args...)
}

// command returns the output of a command, without the last newline. The environment is added to that of this process.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env...), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", cmd, err, stdout.Bytes(), stderr.Bytes())
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// read reads the repository: its modules, its tags and its changelog.
func (o options) read(ctx context.Context, out io.Writer) (*release, error) {
	root, err := repository(o.repository).git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r := &release{repository: repository(root), version: o.version, dryRun: o.dryRun, tags: map[string]string{}, out: out}
	changes, err := r.repository.git(ctx, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return nil, err
	}
	if changes != "" {
		return nil, fmt.Errorf("uncommitted changes: a release has what HEAD has\n%s", changes)
	}
	if r.head, err = r.repository.git(ctx, "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	tags, err := r.repository.git(ctx, "for-each-ref", "--format=%(refname:short) %(objectname) %(*objectname)", "refs/tags")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(tags) {
		words := strings.Fields(line)
		r.tags[words[0]] = words[len(words)-1] // an annotated tag's commit comes last
	}
	names, err := r.repository.git(ctx, "ls-files", "go.mod", "*/go.mod")
	if err != nil {
		return nil, err
	}
	if r.all, err = readModules(root, strings.Fields(names)); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, changelog))
	if err != nil {
		return nil, err
	}
	if r.version == "" {
		if r.version, err = firstVersion(string(text)); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// isReleased reports whether another commit than HEAD has the tag.
func (r *release) isReleased() bool {
	commit, tagged := r.tags[r.version]
	return tagged && commit != r.head
}

// isTagged reports whether HEAD has the tag already, as in the workflow that the tag starts.
func (r *release) isTagged() bool { return r.tags[r.version] == r.head }

// check checks the version, and reads what depends on it.
func (r *release) check() (err error) {
	if !semver.IsValid(r.version) || semver.Canonical(r.version) != r.version {
		return fmt.Errorf("version %q is not one like v1.2.3", r.version)
	}
	if semver.Major(r.version) > "v1" {
		return fmt.Errorf("version %s needs modules whose paths end in /%s", r.version, semver.Major(r.version))
	}
	if r.modules, err = publishedOf(r.all); err != nil {
		return err
	}
	for _, m := range r.modules {
		if commit, exists := r.tags[m.tag(r.version)]; exists && commit != r.head {
			return fmt.Errorf("tag %s exists, at commit %.12s", m.tag(r.version), commit)
		}
	}
	if last := r.last(""); semver.Compare(last, r.version) > 0 && semver.MajorMinor(last) == semver.MajorMinor(r.version) {
		return fmt.Errorf("version %s comes before %s, which is tagged", r.version, last)
	}
	text, err := os.ReadFile(filepath.Join(string(r.repository), changelog))
	if err != nil {
		return err
	}
	r.notes, err = notesOf(string(text), r.version)
	return err
}

// last returns the last release before a version, or the last one of all for the version "". It returns "" without a release.
func (r *release) last(before string) (last string) {
	for tag := range r.tags {
		isEarlier := before == "" || semver.Compare(tag, before) < 0
		if semver.IsValid(tag) && semver.Prerelease(tag) == "" && isEarlier && semver.Compare(tag, last) > 0 {
			last = tag
		}
	}
	return last
}

// clone is the copy of the repository in which the release is made.
func (r *release) clone() repository { return repository(filepath.Join(r.work, "clone")) }

// checkout clones the repository without its tags, with the files of a commit.
func (r *release) checkout(ctx context.Context, commit string, to repository) error {
	if _, err := r.repository.git(ctx, "clone", "--quiet", "--no-tags", "--no-checkout", string(r.repository), string(to)); err != nil {
		return err
	}
	_, err := to.git(ctx, "checkout", "--quiet", "--detach", commit)
	return err
}

// commit makes the commit of the release in the clone, and tags it. If HEAD is that commit, there is nothing to commit.
func (r *release) commit(ctx context.Context) error {
	if err := r.checkout(ctx, r.head, r.clone()); err != nil {
		return err
	}
	var unprepared []error
	for _, m := range r.all {
		changed, err := m.require(string(r.clone()), r.modules, r.version)
		if err != nil {
			return err
		}
		if changed {
			unprepared = append(unprepared, fmt.Errorf("%s: requires modules of this repository at other versions than %s", m.goMod(), r.version))
		}
	}
	name := filepath.Join(string(r.clone()), changelog)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if now := dated(string(text), r.version, time.Now().UTC().Format(time.DateOnly)); now != string(text) {
		unprepared = append(unprepared, fmt.Errorf("%s: the entry of %s is %s", changelog, r.version, unreleased))
		if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
			return err
		}
	}
	if r.committed = len(unprepared) > 0; r.committed {
		if r.isTagged() {
			return fmt.Errorf("tag %s is on a commit that hack/release.sh did not make:\n%w", r.version, errors.Join(unprepared...))
		}
		if err := r.commitAll(ctx); err != nil {
			return err
		}
	}
	for _, m := range r.modules {
		if _, err := r.clone().git(ctx, "tag", m.tag(r.version)); err != nil {
			return err
		}
	}
	return nil
}

// commitAll commits the changes in the clone, in the name of the repository's user.
func (r *release) commitAll(ctx context.Context) error {
	args := []string{"commit", "--quiet", "--all", "-m", "release: " + r.version,
		"-m", "Modules of this repository require each other at the version that\nthe tags on this commit publish, which is the one users get."}
	for _, key := range []string{"user.name", "user.email"} {
		value, _ := r.repository.git(ctx, "config", key)
		if value == "" && !r.dryRun {
			return fmt.Errorf("who makes the release? Set it with git config %s", key)
		}
		args = append([]string{"-c", key + "=" + cmp.Or(value, "release@example.invalid")}, args...)
	}
	_, err := r.clone().git(ctx, args...)
	return err
}

// publish brings the commit of the release into the repository. If HEAD is that commit, it brings the tags.
func (r *release) publish(ctx context.Context) error {
	fetch := []string{"fetch", "--quiet", "--no-tags", string(r.clone())}
	if r.committed {
		if _, err := r.repository.git(ctx, append(fetch, "refs/tags/"+r.version)...); err != nil {
			return err
		}
		fmt.Fprintln(r.out, "--- merge the new commit into main, and run this again there to tag it")
		_, err := r.repository.git(ctx, "merge", "--quiet", "--ff-only", "FETCH_HEAD")
		return err
	}
	for _, m := range r.modules {
		if _, exists := r.tags[m.tag(r.version)]; !exists {
			fetch = append(fetch, "tag", m.tag(r.version))
		}
	}
	fmt.Fprintf(r.out, "--- to start the workflow that publishes it, run\n\tgit push origin %s\n", r.version)
	_, err := r.repository.git(ctx, fetch...)
	return err
}

# What the blocks of commands in the operator's guide run with (tests/serving/guide.spec.ts). Sealdesk's own commands run for
# real, on a running installation; of other programs it is checked that what they are given exists.
# ROOT is the repository, NODE the program, DATA_DIR the installation's folder; paths below /data are in it.
set -euo pipefail

missing() { echo "$1 does not exist" >&2; exit 1; }
is_file() { [ -e "$ROOT/$1" ] || missing "$1"; }
is_script() { "$NODE" -e 'process.exit(require(process.argv[1]).scripts[process.argv[2]] ? 0 : 1)' "$ROOT/package.json" "$1" || missing "npm run $1"; }

# A program of the image, with the folder that is mounted at /data.
inside() {
  local data=$1; shift
  [ "$1 $2" = "node build/server/cli.js" ] || missing "$*"
  shift 2
  DATA_DIR=$data "$NODE" "$ROOT/build/server/cli.js" "${@/#\/data/$data}"
}

docker() {
  local verb=$1; shift
  case $verb in
    build) is_file Dockerfile ;;
    compose)
      for word in "$@"; do
        case $word in up | logs | -d | --profile) ;; *) grep -Eq "^  $word:|profiles: \[$word\]" "$ROOT/compose.yaml" || missing "$word" ;; esac
      done ;;
    exec) [ "$1 $2" = "-i sealdesk" ]; shift 2; inside "$DATA_DIR" "$@" ;;
    run)
      local data=""
      while [[ $1 == -* ]]; do
        case $1 in
          -v) data=$PWD/volume-${2%%:*}; shift 2 ;;
          -e) [[ $2 =~ ^[A-Z_]+= ]]; export "${2?}"; shift 2 ;;
          --rm | -i | -d | --read-only) shift ;;
          *) shift 2 ;;
        esac
      done
      [ "$1" = sealdesk ]; shift
      [ $# = 0 ] || inside "$data" "$@" ;;
    logs | load) ;;
    save) echo image ;;
    *) missing "docker $verb" ;;
  esac
}

npm() {
  case "$1" in
    ci | prune) ;;
    run)
      shift; [ "$1" != --silent ] || shift
      is_script "$1"
      case $1 in sbom) (cd "$ROOT" && "$NODE" tools/sbom.ts) ;; esac ;;
    *) missing "npm $1" ;;
  esac
}

install() { for word in "$@"; do case $word in -* | 6* | /*) ;; *) is_file "$word" ;; esac; done; }
helm() { is_file "$3/Chart.yaml"; if type -P helm >/dev/null; then command helm template sealdesk "$ROOT/$3" --set publicUrl=https://sealdesk.example >/dev/null; fi; }
kubectl() { [ "$1 $2 $3" = "create secret generic" ]; }
git() { [ "$*" = "rev-parse HEAD" ] && echo 0000000; }
useradd() { [ "${*: -1}" = sealdesk ]; }
systemctl() { is_file "deploy/systemd/${*: -1}.service"; }
journalctl() { [ "$*" = "--unit sealdesk" ]; }
# What signs is in .github/workflows/release.yml; nothing is published where tests run.
cosign() { [ "$1" = verify ]; }
gh() { [ "$1 $2" = "attestation verify" ]; }

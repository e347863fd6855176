{{- define "sealdesk.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "sealdesk.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "sealdesk.labels" -}}
{{ include "sealdesk.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "sealdesk.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- /* What all pods share: (dict "root" . "pod" .Values.web "env" …) */ -}}
{{- define "sealdesk.pod" -}}
serviceAccountName: {{ .root.Values.serviceAccountName }}
automountServiceAccountToken: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .pod.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .pod.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: { sizeLimit: {{ .root.Values.temporary.sizeLimit }} }
  - name: tmp
    emptyDir: { sizeLimit: {{ .root.Values.temporary.sizeLimit }} }
{{- end }}

{{- define "sealdesk.container" -}}
image: {{ include "sealdesk.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .pod.resources | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
envFrom:
  - secretRef: { name: {{ .root.Values.existingSecret }} }
env:
  - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
  - { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
  {{- with .workerSetting }}
  - { name: WORKER, value: {{ . | quote }} }
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
{{- end }}

#!/bin/sh
# Writes Orchestrator/local.settings.json, with which the app runs locally against the resources of this azd environment, as the developer.
# No secret is in it: everything is reached with an identity. A file that is there and says something else is kept beside it under a number.
set -eu

case "${DEVELOPER_ACCESS:-true}" in
  false | False | FALSE | 0)
    echo "DEVELOPER_ACCESS is false: without the app's roles nobody runs it locally, so no local.settings.json is written."
    exit 0
    ;;
esac

for name in STORAGE_BLOB_ENDPOINT STORAGE_QUEUE_ENDPOINT SCHEDULER_ENDPOINT TASKHUB_NAME COSMOS_ENDPOINT COSMOS_RESOURCE_ID \
  APPLICATIONINSIGHTS_CONNECTION_STRING; do
  eval "value=\${$name:-}"
  if [ -z "$value" ]; then
    echo "No local.settings.json is written: $name is not set. 'azd provision' sets it." >&2
    exit 1
  fi
done

file="$(cd "$(dirname "$0")/../.." && pwd)/Orchestrator/local.settings.json"
new="$file.new"
cat > "$new" <<EOF
{
  "IsEncrypted": false,
  "Values": {
    "FUNCTIONS_WORKER_RUNTIME": "dotnet-isolated",
    "AzureWebJobsStorage__blobServiceUri": "$STORAGE_BLOB_ENDPOINT",
    "AzureWebJobsStorage__queueServiceUri": "$STORAGE_QUEUE_ENDPOINT",
    "RunStore__blobServiceUri": "$STORAGE_BLOB_ENDPOINT",
    "RunStore__queueServiceUri": "$STORAGE_QUEUE_ENDPOINT",
    "DURABLE_TASK_SCHEDULER_CONNECTION_STRING": "Endpoint=$SCHEDULER_ENDPOINT;Authentication=DefaultAzure",
    "TASKHUB_NAME": "$TASKHUB_NAME",
    "AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions": "8",
    "APPLICATIONINSIGHTS_CONNECTION_STRING": "$APPLICATIONINSIGHTS_CONNECTION_STRING",
    "APPLICATIONINSIGHTS_AUTHENTICATION_STRING": "Authorization=AAD",
    "COSMOS_ENDPOINT": "$COSMOS_ENDPOINT",
    "COSMOS_RESOURCE_ID": "$COSMOS_RESOURCE_ID",
    "MAX_RUS": "${MAX_RUS:-}",
    "MAX_WORKERS": "${MAX_WORKERS:-}",
    "WORKER_CAPACITY": "8"
  }
}
EOF

if [ -f "$file" ] && cmp -s "$file" "$new"; then
  rm "$new"
  echo "Orchestrator/local.settings.json is up to date."
  exit 0
fi
if [ -f "$file" ]; then
  number=1
  while [ -e "$file.$number" ]; do number=$((number + 1)); done
  mv "$file" "$file.$number"
  echo "The former Orchestrator/local.settings.json is kept as local.settings.json.$number."
fi
mv "$new" "$file"
echo "Wrote Orchestrator/local.settings.json: 'dotnet run' in Orchestrator runs the app against these resources."

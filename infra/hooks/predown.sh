#!/bin/sh
# Deletes the custom role that lets the app manage containers: a role definition is not a resource of the group that `azd down` deletes.
# Never stops `azd down`: what goes on billing matters more than a role that nobody holds.
set -u

if [ -z "${CONTAINER_ROLE_NAME:-}" ] || [ -z "${AZURE_RESOURCE_GROUP:-}" ] || [ -z "${AZURE_SUBSCRIPTION_ID:-}" ]; then
  echo "No custom role to delete: this environment was never provisioned."
  exit 0
fi

scope="/subscriptions/$AZURE_SUBSCRIPTION_ID/resourceGroups/$AZURE_RESOURCE_GROUP"

# A role that is assigned to anybody, wherever, cannot be deleted.
delete_role() {
  assignments=$(az role assignment list --subscription "$AZURE_SUBSCRIPTION_ID" --all --output tsv \
    --query "[?ends_with(roleDefinitionId, '/$CONTAINER_ROLE_NAME')].id") || return 1
  # The CLI for Windows ends lines with a carriage return, in Git Bash and in WSL, too.
  assignments=$(printf '%s' "$assignments" | tr -d '\r')
  if [ -n "$assignments" ]; then
    # One id a line, none with a space.
    # shellcheck disable=SC2086
    az role assignment delete --subscription "$AZURE_SUBSCRIPTION_ID" --ids $assignments || return 1
  fi
  az role definition delete --subscription "$AZURE_SUBSCRIPTION_ID" --name "$CONTAINER_ROLE_NAME" --scope "$scope" --custom-role-only true
}

if command -v az >/dev/null 2>&1 && delete_role; then
  echo "Deleted the custom role $CONTAINER_ROLE_NAME."
else
  echo "The custom role $CONTAINER_ROLE_NAME stays behind. Delete it under 'Access control (IAM)', or with the Azure CLI, signed in:" >&2
  echo "  az role definition delete --name $CONTAINER_ROLE_NAME --scope $scope" >&2
fi

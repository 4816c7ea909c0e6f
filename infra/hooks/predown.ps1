# Deletes the custom role that lets the app manage containers: a role definition is not a resource of the group that `azd down` deletes.
# Never stops `azd down`: what goes on billing matters more than a role that nobody holds.

if (-not ($env:CONTAINER_ROLE_NAME -and $env:AZURE_RESOURCE_GROUP -and $env:AZURE_SUBSCRIPTION_ID)) {
    Write-Host 'No custom role to delete: this environment was never provisioned.'
    exit 0
}

$scope = "/subscriptions/$env:AZURE_SUBSCRIPTION_ID/resourceGroups/$env:AZURE_RESOURCE_GROUP"
$deleted = $false
if (Get-Command az -ErrorAction SilentlyContinue) {
    # A role that is assigned to anybody, wherever, cannot be deleted.
    $assignments = @(az role assignment list --subscription $env:AZURE_SUBSCRIPTION_ID --all --output tsv `
        --query "[?ends_with(roleDefinitionId, '/$env:CONTAINER_ROLE_NAME')].id")
    if ($LASTEXITCODE -eq 0 -and $assignments.Count -gt 0) {
        az role assignment delete --subscription $env:AZURE_SUBSCRIPTION_ID --ids $assignments
    }
    if ($LASTEXITCODE -eq 0) {
        az role definition delete --subscription $env:AZURE_SUBSCRIPTION_ID --name $env:CONTAINER_ROLE_NAME --scope $scope `
            --custom-role-only true
        $deleted = $LASTEXITCODE -eq 0
    }
}

if ($deleted) {
    Write-Host "Deleted the custom role $env:CONTAINER_ROLE_NAME."
} else {
    Write-Warning "The custom role $env:CONTAINER_ROLE_NAME stays behind."
    Write-Warning "Delete it under 'Access control (IAM)', or with the Azure CLI, signed in:"
    Write-Warning "  az role definition delete --name $env:CONTAINER_ROLE_NAME --scope $scope"
}
exit 0

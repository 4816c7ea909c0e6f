# Writes Orchestrator/local.settings.json, with which the app runs locally against the resources of this azd environment, as the developer.
# No secret is in it: everything is reached with an identity. A file that is there and says something else is kept beside it under a number.
$ErrorActionPreference = 'Stop'

if ($env:DEVELOPER_ACCESS -in 'false', '0') {
    Write-Host "DEVELOPER_ACCESS is false: without the app's roles nobody runs it locally, so no local.settings.json is written."
    exit 0
}

foreach ($name in 'STORAGE_BLOB_ENDPOINT', 'STORAGE_QUEUE_ENDPOINT', 'SCHEDULER_ENDPOINT', 'TASKHUB_NAME', 'COSMOS_ENDPOINT',
    'COSMOS_RESOURCE_ID', 'APPLICATIONINSIGHTS_CONNECTION_STRING') {
    if (-not [Environment]::GetEnvironmentVariable($name)) {
        Write-Error "No local.settings.json is written: $name is not set. 'azd provision' sets it." -ErrorAction Continue
        exit 1
    }
}

$file = Join-Path $PSScriptRoot '../../Orchestrator/local.settings.json'
$new = @"
{
  "IsEncrypted": false,
  "Values": {
    "FUNCTIONS_WORKER_RUNTIME": "dotnet-isolated",
    "AzureWebJobsStorage__blobServiceUri": "$env:STORAGE_BLOB_ENDPOINT",
    "AzureWebJobsStorage__queueServiceUri": "$env:STORAGE_QUEUE_ENDPOINT",
    "RunStore__blobServiceUri": "$env:STORAGE_BLOB_ENDPOINT",
    "RunStore__queueServiceUri": "$env:STORAGE_QUEUE_ENDPOINT",
    "DURABLE_TASK_SCHEDULER_CONNECTION_STRING": "Endpoint=$env:SCHEDULER_ENDPOINT;Authentication=DefaultAzure",
    "TASKHUB_NAME": "$env:TASKHUB_NAME",
    "AzureFunctionsJobHost__extensions__durableTask__maxConcurrentActivityFunctions": "8",
    "APPLICATIONINSIGHTS_CONNECTION_STRING": "$env:APPLICATIONINSIGHTS_CONNECTION_STRING",
    "APPLICATIONINSIGHTS_AUTHENTICATION_STRING": "Authorization=AAD",
    "COSMOS_ENDPOINT": "$env:COSMOS_ENDPOINT",
    "COSMOS_RESOURCE_ID": "$env:COSMOS_RESOURCE_ID",
    "MAX_RUS": "$env:MAX_RUS",
    "MAX_WORKERS": "$env:MAX_WORKERS",
    "WORKER_CAPACITY": "8"
  }
}

"@ -replace "`r`n", "`n"

if (Test-Path $file) {
    if ([IO.File]::ReadAllText($file) -ceq $new) {
        Write-Host 'Orchestrator/local.settings.json is up to date.'
        exit 0
    }
    $number = 1
    while (Test-Path "$file.$number") { $number++ }
    Move-Item $file "$file.$number"
    Write-Host "The former Orchestrator/local.settings.json is kept as local.settings.json.$number."
}
[IO.File]::WriteAllText($file, $new)
Write-Host "Wrote Orchestrator/local.settings.json: 'dotnet run' in Orchestrator runs the app against these resources."

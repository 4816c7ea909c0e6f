@description('Name of the Function App.')
param name string
@description('Name of its plan.')
param planName string
@description('Region.')
param location string
@description('Tags of plan and app.')
param tags object
@description('Resource id of the app\'s identity.')
param identityId string
@description('Client id of the app\'s identity.')
param identityClientId string
@description('Name of the storage account.')
param storageName string
@description('Blob endpoint of the storage account, with its closing slash.')
param blobEndpoint string
@description('Queue endpoint of the storage account.')
param queueEndpoint string
@description('Blob container that the deployed package lies in.')
param packageContainerName string
@description('Endpoint of the Cosmos DB account.')
param cosmosEndpoint string
@description('Resource id of the Cosmos DB account.')
param cosmosResourceId string
@description('Endpoint of the Durable Task Scheduler.')
param schedulerEndpoint string
@description('Name of the task hub.')
param taskHubName string
@description('Connection string of the Application Insights component: its address, not a credential.')
param componentConnectionString string
@description('Memory of one instance in MB.')
param instanceMemoryMB int
@description('Most on-demand instances of each scale group.')
param maximumInstanceCount int
@description('Instances kept warm for orchestrations and workers.')
param alwaysReadyInstanceCount int
@description('Most RU/s of one run.')
param maximumRequestUnits int
@description('Most workers of one run.')
param maximumWorkers int
@description('Most telemetry a day in GB.')
param telemetryDailyQuotaGB int
@description('Most workers of all runs at once.')
param workerCapacity int
@description('Resource id of the subnet that the app\'s outgoing calls leave from, or empty.')
param subnetId string

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: planName
  location: location
  tags: tags
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
  }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: name
  location: location
  tags: union(tags, { 'azd-service-name': 'orchestrator' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    siteConfig: {
      minTlsVersion: '1.2'
      // For Code + Test of the portal, which calls the app from the browser. A key is needed all the same.
      cors: { allowedOrigins: ['https://portal.azure.com'] }
    }
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: '${blobEndpoint}${packageContainerName}'
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identityId
          }
        }
      }
      runtime: {
        name: 'dotnet-isolated'
        version: '10.0'
      }
      scaleAndConcurrency: {
        instanceMemoryMB: instanceMemoryMB
        maximumInstanceCount: maximumInstanceCount
        alwaysReady: alwaysReadyInstanceCount == 0
          ? []
          : [
              {
                name: 'durable'
                instanceCount: alwaysReadyInstanceCount
              }
            ]
      }
    }
  }
}

// azd deploys with a token of Microsoft Entra ID: nobody needs a publishing password.
resource ftpPassword 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'ftp'
  properties: { allow: false }
}

resource scmPassword 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'scm'
  properties: { allow: false }
}

resource settings 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: app
  name: 'appsettings'
  properties: {
    // The host on Flex Consumption has failed with the addresses of blobs and queues in the place of the name.
    AzureWebJobsStorage__accountName: storageName
    AzureWebJobsStorage__credential: 'managedidentity'
    AzureWebJobsStorage__clientId: identityClientId
    RunStore__blobServiceUri: blobEndpoint
    RunStore__queueServiceUri: queueEndpoint
    RunStore__credential: 'managedidentity'
    RunStore__clientId: identityClientId
    DURABLE_TASK_SCHEDULER_CONNECTION_STRING: 'Endpoint=${schedulerEndpoint};Authentication=ManagedIdentity;ClientID=${identityClientId}'
    TASKHUB_NAME: taskHubName
    APPLICATIONINSIGHTS_CONNECTION_STRING: componentConnectionString
    APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identityClientId};Authorization=AAD'
    AZURE_CLIENT_ID: identityClientId
    // DefaultAzureCredential tries nothing else: neither credentials of a developer nor a short probe that gives up early.
    AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential'
    COSMOS_ENDPOINT: cosmosEndpoint
    COSMOS_RESOURCE_ID: cosmosResourceId
    MAX_RUS: string(maximumRequestUnits)
    MAX_WORKERS: string(maximumWorkers)
    WORKER_CAPACITY: string(workerCapacity)
    INSTANCE_MEMORY_MB: string(instanceMemoryMB)
    ALWAYS_READY_INSTANCE_COUNT: string(alwaysReadyInstanceCount)
    TELEMETRY_DAILY_QUOTA_GB: string(telemetryDailyQuotaGB)
  }
}

output id string = app.id
output name string = app.name
output url string = 'https://${app.properties.defaultHostName}'

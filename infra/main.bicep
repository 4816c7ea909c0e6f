targetScope = 'subscription'

@description('Name of the azd environment. It names the resource group, and its hash goes into every resource name.')
@minLength(1)
@maxLength(64)
param environmentName string

@description('Region of every resource. Listed are regions that have both Flex Consumption and Durable Task Scheduler.')
@allowed([
  'australiaeast'
  'centralus'
  'eastasia'
  'eastus2'
  'northeurope'
  'southeastasia'
  'swedencentral'
  'uksouth'
  'westus2'
])
@metadata({
  azd: {
    type: 'location'
  }
})
param location string

@description('Gives a developer the roles of the app, to run it locally against these resources and to open the scheduler\'s dashboard.')
param developerAccess bool = true

@description('Object id of the developer. Empty: who deploys.')
@maxLength(36)
param developerPrincipalId string = ''

@description('Type of who deploys: User, ServicePrincipal, or empty where it is not known. azd knows it.')
@allowed([
  ''
  'ServicePrincipal'
  'User'
])
param deployerType string = ''

@description('Reaches storage, Cosmos DB and scheduler through private endpoints in a virtual network, and closes their public ones.')
param vnetEnabled bool = false

@description('With a virtual network: the one public IPv4 address that may reach the services from outside it. Empty: none may.')
@maxLength(15)
param allowedIp string = ''

@description('Memory of one instance in MB. A larger one also has more CPU: 2048 is one core.')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int = 2048

@description('Most on-demand instances of each scale group: Durable functions (an instance per worker), HTTP, progress queue, timer.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int = 110

@description('Instances for orchestrations and workers that are kept warm and billed while nothing runs. 0: a run begins with cold starts.')
@minValue(0)
@maxValue(100)
param alwaysReadyInstanceCount int = 0

@description('App setting MAX_RUS: most RU/s that one run may ask for.')
@minValue(400)
@maxValue(10000000)
param maximumRequestUnits int = 20000

@description('App setting MAX_WORKERS: most workers that one run may have. With the spare instances no more than Flex Consumption takes.')
@minValue(1)
@maxValue(990)
param maximumWorkers int = 100

@description('Most RU/s that all containers of the account may have together; the account itself enforces it. -1 is no limit.')
@minValue(-1)
param accountThroughputLimit int = 40000

@description('Durable Task Scheduler: Consumption is billed by action, Dedicated by capacity unit and hour, used or not.')
@allowed([
  'Consumption'
  'Dedicated'
])
param schedulerSku string = 'Consumption'

@description('Most telemetry in GB that a day may bring; what comes after it is dropped until the next day.')
@minValue(1)
@maxValue(100)
param telemetryDailyQuotaGB int = 1

@description('Days that the tables of Application Insights keep their records. Up to 90 cost nothing beyond the ingestion.')
@minValue(4)
@maxValue(730)
param telemetryRetentionDays int = 90

@description('Who gets mail when an alert fires. Empty: alerts are only shown in the portal.')
@maxLength(320)
param alertEmail string = ''

var abbreviations = loadJsonContent('./abbreviations.json')
var resourceToken = toLower(uniqueString(subscription().id, environmentName, location))
var tags = { 'azd-env-name': environmentName }
// For the short activities of runs, while every worker of a run holds an instance.
var spareInstances = 10
// So that MAX_WORKERS raised alone is enough.
var instances = max(maximumInstanceCount, maximumWorkers + spareInstances)
var developer = empty(developerPrincipalId) ? deployer().objectId : developerPrincipalId
var developerType = developer == deployer().objectId ? deployerType : ''
var cosmosName = '${abbreviations.cosmosAccounts}${resourceToken}'

resource group 'Microsoft.Resources/resourceGroups@2025-04-01' = {
  name: '${abbreviations.resourceGroups}${environmentName}'
  location: location
  tags: tags
}

module identity 'app/identity.bicep' = {
  name: 'identity'
  scope: group
  params: {
    name: '${abbreviations.managedIdentities}${resourceToken}'
    location: location
    tags: tags
  }
}

module monitoring 'app/monitoring.bicep' = {
  name: 'monitoring'
  scope: group
  params: {
    workspaceName: '${abbreviations.operationalInsightsWorkspaces}${resourceToken}'
    componentName: '${abbreviations.insightsComponents}${resourceToken}'
    location: location
    tags: tags
    dailyQuotaGB: telemetryDailyQuotaGB
  }
}

module storage 'app/storage.bicep' = {
  name: 'storage'
  scope: group
  params: {
    name: '${abbreviations.storageAccounts}${resourceToken}'
    location: location
    tags: tags
    isolated: vnetEnabled
    allowedIp: allowedIp
  }
}

module cosmos 'app/cosmos.bicep' = {
  name: 'cosmos'
  scope: group
  params: {
    name: cosmosName
    location: location
    tags: tags
    throughputLimit: accountThroughputLimit
    isolated: vnetEnabled
    allowedIp: allowedIp
  }
}

module scheduler 'app/scheduler.bicep' = {
  name: 'scheduler'
  scope: group
  params: {
    name: '${abbreviations.durableTaskSchedulers}${resourceToken}'
    taskHubName: '${abbreviations.durableTaskHubs}${resourceToken}'
    location: location
    tags: tags
    skuName: schedulerSku
    isolated: vnetEnabled
    allowedIp: allowedIp
  }
}

module role 'app/role.bicep' = {
  name: 'role'
  scope: group
  params: {
    cosmosName: cosmosName
  }
}

module storageAccess 'app/storage-access.bicep' = {
  name: 'storage-access'
  scope: group
  params: {
    principalId: identity.outputs.principalId
    principalType: 'ServicePrincipal'
    storageName: storage.outputs.name
  }
}

module schedulerAccess 'app/scheduler-access.bicep' = {
  name: 'scheduler-access'
  scope: group
  params: {
    principalId: identity.outputs.principalId
    principalType: 'ServicePrincipal'
    schedulerName: scheduler.outputs.name
  }
}

module telemetryAccess 'app/telemetry-access.bicep' = {
  name: 'telemetry-access'
  scope: group
  params: {
    principalId: identity.outputs.principalId
    principalType: 'ServicePrincipal'
    componentName: monitoring.outputs.componentName
  }
}

module dataAccess 'app/data-access.bicep' = {
  name: 'data-access'
  scope: group
  params: {
    principalId: identity.outputs.principalId
    principalType: 'ServicePrincipal'
    cosmosName: cosmos.outputs.name
    databaseName: cosmos.outputs.databaseName
    containerRoleId: role.outputs.id
  }
}

module developerStorageAccess 'app/storage-access.bicep' = if (developerAccess) {
  name: 'developer-storage-access'
  scope: group
  params: {
    principalId: developer
    principalType: developerType
    storageName: storage.outputs.name
  }
}

module developerSchedulerAccess 'app/scheduler-access.bicep' = if (developerAccess) {
  name: 'developer-scheduler-access'
  scope: group
  params: {
    principalId: developer
    principalType: developerType
    schedulerName: scheduler.outputs.name
  }
}

module developerTelemetryAccess 'app/telemetry-access.bicep' = if (developerAccess) {
  name: 'developer-telemetry-access'
  scope: group
  params: {
    principalId: developer
    principalType: developerType
    componentName: monitoring.outputs.componentName
  }
}

module developerDataAccess 'app/data-access.bicep' = if (developerAccess) {
  name: 'developer-data-access'
  scope: group
  // Cosmos DB makes one change of an account at a time, and its role assignments are changes.
  dependsOn: [dataAccess]
  params: {
    principalId: developer
    principalType: developerType
    cosmosName: cosmos.outputs.name
    databaseName: cosmos.outputs.databaseName
    containerRoleId: role.outputs.id
  }
}

module network 'app/network.bicep' = if (vnetEnabled) {
  name: 'network'
  scope: group
  dependsOn: [
    storageAccess
    schedulerAccess
    telemetryAccess
    dataAccess
    developerStorageAccess
    developerSchedulerAccess
    developerTelemetryAccess
    developerDataAccess
  ]
  params: {
    name: '${abbreviations.networkVirtualNetworks}${resourceToken}'
    location: location
    tags: tags
    storageId: storage.outputs.id
    cosmosId: cosmos.outputs.id
    schedulerId: scheduler.outputs.id
  }
}

module orchestrator 'app/function.bicep' = {
  name: 'orchestrator'
  scope: group
  // The host reads its keys and its package as the identity: it must be allowed to by the time it starts.
  dependsOn: [storageAccess, schedulerAccess, telemetryAccess, dataAccess]
  params: {
    name: '${abbreviations.webSitesFunctions}${resourceToken}'
    planName: '${abbreviations.webServerFarms}${resourceToken}'
    location: location
    tags: tags
    identityId: identity.outputs.id
    identityClientId: identity.outputs.clientId
    storageName: storage.outputs.name
    blobEndpoint: storage.outputs.blobEndpoint
    queueEndpoint: storage.outputs.queueEndpoint
    packageContainerName: storage.outputs.packageContainerName
    cosmosEndpoint: cosmos.outputs.endpoint
    cosmosResourceId: cosmos.outputs.id
    schedulerEndpoint: scheduler.outputs.endpoint
    taskHubName: scheduler.outputs.taskHubName
    componentConnectionString: monitoring.outputs.componentConnectionString
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: instances
    alwaysReadyInstanceCount: alwaysReadyInstanceCount
    maximumRequestUnits: maximumRequestUnits
    maximumWorkers: maximumWorkers
    workerCapacity: instances - spareInstances
    telemetryDailyQuotaGB: telemetryDailyQuotaGB
    subnetId: vnetEnabled ? network!.outputs.appSubnetId : ''
  }
}

module workbook 'app/workbook.bicep' = {
  name: 'workbook'
  scope: group
  params: {
    location: location
    tags: tags
    componentId: monitoring.outputs.componentId
  }
}

// Last: by now the workspace is known everywhere.
module retention 'app/retention.bicep' = if (telemetryRetentionDays != 90) {
  name: 'retention'
  scope: group
  dependsOn: [orchestrator]
  params: {
    workspaceName: monitoring.outputs.workspaceName
    retentionDays: telemetryRetentionDays
  }
}

// Last: the rules look at the component, the workspace and the app.
module alerts 'app/alerts.bicep' = {
  name: 'alerts'
  scope: group
  params: {
    actionGroupName: '${abbreviations.insightsActionGroups}${resourceToken}'
    location: location
    tags: tags
    componentId: monitoring.outputs.componentId
    workspaceId: monitoring.outputs.workspaceId
    appId: orchestrator.outputs.id
    email: alertEmail
  }
}

// azd keeps these in its environment; docs/azure.md, test.http and the hooks read them there. None is a secret.
output AZURE_LOCATION string = location
output AZURE_TENANT_ID string = tenant().tenantId
output AZURE_RESOURCE_GROUP string = group.name
output FUNCTION_APP_NAME string = orchestrator.outputs.name
output FUNCTION_APP_URL string = orchestrator.outputs.url
output STORAGE_BLOB_ENDPOINT string = storage.outputs.blobEndpoint
output STORAGE_QUEUE_ENDPOINT string = storage.outputs.queueEndpoint
output SCHEDULER_ENDPOINT string = scheduler.outputs.endpoint
output TASKHUB_NAME string = scheduler.outputs.taskHubName
output APPLICATIONINSIGHTS_CONNECTION_STRING string = monitoring.outputs.componentConnectionString
output COSMOS_ENDPOINT string = cosmos.outputs.endpoint
output COSMOS_RESOURCE_ID string = cosmos.outputs.id
output CONTAINER_ROLE_NAME string = role.outputs.name

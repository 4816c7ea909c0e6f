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

@description('Object id of the person or pipeline that deploys; it may open the Durable Task Scheduler dashboard. Empty: nobody may.')
param principalId string = ''

@description('Memory of one instance in MB. A larger one also has more CPU: 2048 is one core.')
@allowed([
  512
  2048
  4096
])
param instanceMemoryMB int = 2048

@description('Most instances that the app scales out to. One worker takes one instance; HTTP calls and the progress queue have instances of their own.')
@minValue(1)
@maxValue(1000)
param maximumInstanceCount int = 110

@description('Instances for orchestrations and workers that are kept warm and billed while nothing runs. 0 costs a cold start at the start of a run.')
@minValue(0)
@maxValue(100)
param alwaysReadyInstanceCount int = 0

@description('App setting MAX_RUS: most RU/s that one run may ask for.')
@minValue(400)
@maxValue(10000000)
param maximumRequestUnits int = 20000

@description('App setting MAX_WORKERS: most workers that one run may have.')
@minValue(1)
@maxValue(1000)
param maximumWorkers int = 100

@description('Most RU/s that all containers of the account may have together; the account refuses more. -1 is no limit.')
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

@description('Days that telemetry is kept.')
@minValue(30)
@maxValue(730)
param telemetryRetentionDays int = 30

@description('Who is told by mail when an alert fires. Empty: alerts are only shown in the portal.')
@maxLength(320)
param alertEmail string = ''

var abbreviations = loadJsonContent('./abbreviations.json')
var resourceToken = toLower(uniqueString(subscription().id, environmentName, location))
var tags = { 'azd-env-name': environmentName }

resource group 'Microsoft.Resources/resourceGroups@2024-11-01' = {
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
    retentionDays: telemetryRetentionDays
  }
}

module storage 'app/storage.bicep' = {
  name: 'storage'
  scope: group
  params: {
    name: '${abbreviations.storageAccounts}${resourceToken}'
    location: location
    tags: tags
  }
}

module cosmos 'app/cosmos.bicep' = {
  name: 'cosmos'
  scope: group
  params: {
    name: '${abbreviations.cosmosAccounts}${resourceToken}'
    location: location
    tags: tags
    throughputLimit: accountThroughputLimit
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
  }
}

module access 'app/access.bicep' = {
  name: 'access'
  scope: group
  params: {
    principalId: identity.outputs.principalId
    dashboardPrincipalId: principalId
    storageName: storage.outputs.name
    cosmosName: cosmos.outputs.name
    schedulerName: scheduler.outputs.name
    componentName: monitoring.outputs.componentName
  }
}

module orchestrator 'app/function.bicep' = {
  name: 'orchestrator'
  scope: group
  // The host reads its keys and its package as the identity: it must be allowed to by the time it starts.
  dependsOn: [access]
  params: {
    name: '${abbreviations.webSitesFunctions}${resourceToken}'
    planName: '${abbreviations.webServerFarms}${resourceToken}'
    location: location
    tags: tags
    identityId: identity.outputs.id
    identityClientId: identity.outputs.clientId
    blobEndpoint: storage.outputs.blobEndpoint
    queueEndpoint: storage.outputs.queueEndpoint
    packageContainerName: storage.outputs.packageContainerName
    cosmosEndpoint: cosmos.outputs.endpoint
    cosmosResourceId: cosmos.outputs.id
    schedulerEndpoint: scheduler.outputs.endpoint
    taskHubName: scheduler.outputs.taskHubName
    componentConnectionString: monitoring.outputs.componentConnectionString
    instanceMemoryMB: instanceMemoryMB
    maximumInstanceCount: maximumInstanceCount
    alwaysReadyInstanceCount: alwaysReadyInstanceCount
    maximumRequestUnits: maximumRequestUnits
    maximumWorkers: maximumWorkers
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

module alerts 'app/alerts.bicep' = {
  name: 'alerts'
  scope: group
  params: {
    actionGroupName: '${abbreviations.insightsActionGroups}${resourceToken}'
    location: location
    tags: tags
    componentId: monitoring.outputs.componentId
    email: alertEmail
  }
}

output AZURE_LOCATION string = location
output AZURE_TENANT_ID string = tenant().tenantId
output AZURE_RESOURCE_GROUP string = group.name
output FUNCTION_APP_NAME string = orchestrator.outputs.name
output FUNCTION_APP_URL string = orchestrator.outputs.url
output COSMOS_ENDPOINT string = cosmos.outputs.endpoint
output COSMOS_RESOURCE_ID string = cosmos.outputs.id
output CONTAINER_ROLE_NAME string = access.outputs.containerRoleName

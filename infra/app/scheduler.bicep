@description('Name of the Durable Task Scheduler.')
param name string
@description('Name of its task hub.')
param taskHubName string
@description('Region.')
param location string
@description('Tags of the scheduler.')
param tags object
@description('Consumption or Dedicated.')
param skuName string
@description('Whether the scheduler is reached through a private endpoint only.')
param isolated bool
@description('Address that may reach an isolated scheduler from outside, or empty.')
param allowedIp string

resource scheduler 'Microsoft.DurableTask/schedulers@2026-02-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    publicNetworkAccess: isolated && empty(allowedIp) ? 'Disabled' : 'Enabled'
    // Outside a virtual network the instances of a Flex Consumption app have no fixed addresses: roles decide who may call.
    ipAllowlist: isolated ? (empty(allowedIp) ? [] : [allowedIp]) : ['0.0.0.0/0']
    sku: skuName == 'Dedicated'
      ? {
          name: skuName
          capacity: 1
        }
      : {
          name: skuName
        }
  }
}

resource taskHub 'Microsoft.DurableTask/schedulers/taskHubs@2026-02-01' = {
  parent: scheduler
  name: taskHubName
}

output id string = scheduler.id
output name string = scheduler.name
output endpoint string = scheduler.properties.endpoint
output taskHubName string = taskHub.name

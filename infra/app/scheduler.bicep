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

resource scheduler 'Microsoft.DurableTask/schedulers@2025-11-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    // Instances of a Flex Consumption app have no fixed addresses; who may call is decided by roles.
    ipAllowlist: ['0.0.0.0/0']
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

resource taskHub 'Microsoft.DurableTask/schedulers/taskHubs@2025-11-01' = {
  parent: scheduler
  name: taskHubName
}

output name string = scheduler.name
output endpoint string = scheduler.properties.endpoint
output taskHubName string = taskHub.name

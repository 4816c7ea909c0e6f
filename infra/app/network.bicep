@description('Name of the virtual network.')
param name string
@description('Region of network and private endpoints.')
param location string
@description('Tags of every resource.')
param tags object
@description('Resource id of the storage account.')
param storageId string
@description('Resource id of the Cosmos DB account.')
param cosmosId string
@description('Resource id of the Durable Task Scheduler.')
param schedulerId string

// What the app reaches through a private endpoint, with the zone that its public name resolves in then.
var services = [
  {
    name: 'blob'
    id: storageId
    subresource: 'blob'
    zone: 'privatelink.blob.${environment().suffixes.storage}'
  }
  {
    name: 'queue'
    id: storageId
    subresource: 'queue'
    zone: 'privatelink.queue.${environment().suffixes.storage}'
  }
  {
    name: 'cosmos'
    id: cosmosId
    subresource: 'Sql'
    zone: 'privatelink.documents.azure.com'
  }
  {
    name: 'scheduler'
    id: schedulerId
    subresource: 'scheduler'
    zone: 'privatelink.durabletask.io'
  }
]
var appSubnet = 'app'
var endpointSubnet = 'private-endpoints'

resource network 'Microsoft.Network/virtualNetworks@2025-01-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: { addressPrefixes: ['10.0.0.0/16'] }
    subnets: [
      {
        name: endpointSubnet
        properties: {
          addressPrefix: '10.0.1.0/24'
          privateEndpointNetworkPolicies: 'Disabled'
        }
      }
      {
        // Flex Consumption shares its subnet with nothing else, and takes at most 40 addresses, however many instances there are.
        name: appSubnet
        properties: {
          addressPrefix: '10.0.2.0/24'
          delegations: [
            {
              name: 'flex-consumption'
              properties: { serviceName: 'Microsoft.App/environments' }
            }
          ]
        }
      }
    ]
  }
}

resource zones 'Microsoft.Network/privateDnsZones@2024-06-01' = [
  for service in services: {
    name: service.zone
    location: 'global'
    tags: tags
  }
]

resource zoneLinks 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [
  for (service, i) in services: {
    parent: zones[i]
    name: name
    location: 'global'
    tags: tags
    properties: {
      virtualNetwork: { id: network.id }
      registrationEnabled: false
    }
  }
]

// One after the other: the service behind an endpoint takes one change at a time.
@batchSize(1)
resource endpoints 'Microsoft.Network/privateEndpoints@2025-01-01' = [
  for service in services: {
    name: 'pe-${service.name}'
    location: location
    tags: tags
    properties: {
      subnet: { id: '${network.id}/subnets/${endpointSubnet}' }
      privateLinkServiceConnections: [
        {
          name: service.name
          properties: {
            privateLinkServiceId: service.id
            groupIds: [service.subresource]
          }
        }
      ]
    }
  }
]

resource zoneGroups 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-01-01' = [
  for (service, i) in services: {
    parent: endpoints[i]
    name: 'default'
    properties: {
      privateDnsZoneConfigs: [
        {
          name: service.name
          properties: { privateDnsZoneId: zones[i].id }
        }
      ]
    }
  }
]

output appSubnetId string = '${network.id}/subnets/${appSubnet}'

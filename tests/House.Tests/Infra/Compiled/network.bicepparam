using '../../../../infra/main.bicep'

// The deployment with everything that can be switched on.
param environmentName = 'load'
param location = 'swedencentral'
param deployerType = 'User'
param vnetEnabled = true
param instanceMemoryMB = 4096
param alwaysReadyInstanceCount = 2
param maximumWorkers = 990
param schedulerSku = 'Dedicated'
param telemetryRetentionDays = 30
param alertEmail = 'somebody@example.com'

namespace ScaleOut.Tests.Infra;

/// <summary>A resource that a Bicep file makes; one that it only refers to is none.</summary>
internal sealed record BicepResource(string Symbol, string Type);

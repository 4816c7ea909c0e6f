namespace ScaleOut.Tests.Infra;

/// <summary>A parameter, its default as it is written (without quotes), and its decorators as they are written.</summary>
internal sealed record BicepParameter(string Name, string Type, string? Default, string Decorators);

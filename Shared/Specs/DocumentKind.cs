using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>Where a run's documents come from.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DocumentKind>))]
public enum DocumentKind
{
    /// <summary><c>{ id, KeyNumber, SomeText, SomeCount, PartitionKey }</c>, about 155 bytes, the key a guid.</summary>
    PerfTest,
}

using System.Text.Json.Serialization;
using ScaleOut.Json;

namespace ScaleOut.Specs;

/// <summary>Where a run's documents come from.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DocumentKind>))]
public enum DocumentKind
{
    /// <summary><c>{ id, KeyNumber, SomeText, SomeCount, PartitionKey }</c>, about 155 bytes, the key a guid.</summary>
    PerfTest,

    /// <summary>A device's state, about 640 bytes, the key its id; <c>ownerId</c>, an owner of one device, can be the key too.</summary>
    Device,

    /// <summary>A flight's row, of a CSV file or generated (50 columns, about 1,725 bytes); the key is a column, such as the airport, by which batches are grouped.</summary>
    Flights,

    /// <summary>A JSON object with placeholders.</summary>
    Template,
}

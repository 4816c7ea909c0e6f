using System.Buffers.Binary;

namespace ScaleOut.Workers.Documents;

/// <summary>
/// Makes documents. A document, its id and its key are functions of (run, document number), so that a leg that is run again makes the same
/// ones. Thread-safe.
/// </summary>
public interface IDocumentSource
{
    /// <summary>Largest size of a document.</summary>
    int MaxBytes { get; }

    /// <summary>Whether documents keep their own keys in a batch, so that a batch of numbers may be several batches of documents.</summary>
    bool MixesKeysInBatch => false;

    /// <summary>What a reader of the run's report must know about the documents.</summary>
    IReadOnlyList<string> Warnings => [];

    string IdOf(long number);

    /// <summary>Partition key value of a document that is written alone.</summary>
    string KeyOf(long number);

    /// <summary>Partition key value that all documents of a batch share, unless they keep their own.</summary>
    string KeyOfBatch(long batch);

    /// <summary>Partition key value of a document that was written in batches, or alone.</summary>
    /// <param name="batchSize">Null for documents that were written alone.</param>
    string KeyOf(long number, int? batchSize) =>
        batchSize is { } size && !MixesKeysInBatch ? KeyOfBatch(number / size) : KeyOf(number);

    /// <summary>Writes a document as UTF-8 JSON and returns its length.</summary>
    /// <param name="buffer">At least <see cref="MaxBytes"/> long.</param>
    int Write(long number, string key, Span<byte> buffer);
}

/// <summary>A run's documents cannot be made, because of an error in its spec or its CSV file.</summary>
public sealed class DocumentException(IReadOnlyList<string> errors, Exception? innerException = null)
    : Exception(string.Join("; ", errors), innerException)
{
    /// <summary>All errors, each with the field's path.</summary>
    public IReadOnlyList<string> Errors => errors;
}

public static class DocumentSources
{
    /// <summary>The documents that an assignment writes, or those of another run that it works on.</summary>
    /// <exception cref="DocumentException">They cannot be made, such as from a broken CSV file.</exception>
    public static IDocumentSource For(WorkerAssignment assignment) =>
        For(assignment.Document, assignment.Workload.OfRun ?? assignment.RunId, assignment.Container.PartitionKeyPath);

    /// <param name="keyPath">Path of the partition key, such as <c>/PartitionKey</c>.</param>
    /// <exception cref="DocumentException">They cannot be made, such as from a broken CSV file.</exception>
    public static IDocumentSource For(DocumentSpec document, string runId, string keyPath)
    {
        var keyIsId = keyPath == DocumentShape.UniquePath;
        return document.Kind switch
        {
            DocumentKind.PerfTest => new PerfTestDocuments(runId, keyIsId),
            DocumentKind.Device => new DeviceDocuments(runId, keyIsOwner: !keyIsId),
            DocumentKind.Flights when document.Csv is not null => new CsvDocuments(runId, CsvTable.Read(document), keyIsId),
            DocumentKind.Flights => new FlightDocuments(runId, document, keyIsId),
            DocumentKind.Template => new TemplateDocuments(runId, document.Template!, keyPath.TrimStart('/')),
            var kind => throw new ArgumentOutOfRangeException(nameof(document), kind, "No such kind of document."),
        };
    }
}

/// <summary>
/// Guids as a function of (run, purpose, number). Within a run and purpose no two numbers share one, because the lower half is a bijection
/// of the number. They are spread evenly, so that keys made of them fill all physical partitions alike.
/// </summary>
internal sealed class DocumentIdentity
{
    private readonly ulong _upper;
    private readonly ulong _lower;

    /// <param name="purpose">Such as <c>id</c>.</param>
    public DocumentIdentity(string runId, string purpose)
    {
        var hash = SHA256.HashData(Encoding.UTF8.GetBytes($"{runId}/{purpose}"));
        _upper = BinaryPrimitives.ReadUInt64LittleEndian(hash);
        _lower = BinaryPrimitives.ReadUInt64LittleEndian(hash.AsSpan(8));
    }

    /// <summary>A seed for random numbers of the same run and purpose.</summary>
    internal ulong Seed => _upper ^ (_lower << 1);

    public Guid From(long number)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Mix((ulong)number + _upper));
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], Mix((ulong)number ^ _lower));
        return new Guid(bytes);
    }

    /// <summary>The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits.</summary>
    private static ulong Mix(ulong value)
    {
        value += 0x9E3779B97F4A7C15;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
        return value ^ (value >> 31);
    }
}

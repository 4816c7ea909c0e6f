using ScaleOut.Specs.Reading;

namespace ScaleOut.Http;

/// <summary>Ids as they come in paths. What does not look like one names nothing, so that no path leads out of the run store.</summary>
internal static class ResourceId
{
    public static bool IsValid(string id) => TextForm.RunId.Fits(id);
}

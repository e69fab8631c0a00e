import ArgumentParser
import Valise

/// How far an archive's claims are trusted.
struct ArchiveLimitOptions: ParsableArguments {
    @Option(help: "The most bytes that the archive may unpack to.")
    var maxSize: Int64?

    @OptionGroup var ratio: ArchiveRatioOption

    func validate() throws {
        guard maxSize ?? 1 > 0 else { throw ValidationError("--max-size is greater than 0.") }
    }

    var limits: ZipLimits { ZipLimits(totalSize: maxSize ?? .max, ratio: ratio.maxRatio) }
}

/// How much an entry may grow, for what unpacks to nowhere.
struct ArchiveRatioOption: ParsableArguments {
    @Option(help: "How many times larger than packed a large entry may be.")
    var maxRatio: Int64 = 200

    func validate() throws {
        guard maxRatio > 0 else { throw ValidationError("--max-ratio is greater than 0.") }
    }
}

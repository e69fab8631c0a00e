package import ValiseMaintenance

/// The JSON document of a passphrase change.
package struct RekeyDocument: Encodable {
    let type = "cmdOk"
    let conversion: RekeyConversion
    let changed: Bool
    let keepsBackup: Bool
    let olderCopies: [String]
    let spaceNeeded: Int64
    let freeSpace: Int64
    let seconds: Double

    package init(_ report: RekeyReport) {
        conversion = report.plan.conversion
        changed = report.changed
        keepsBackup = report.keepsBackup
        olderCopies = report.plan.olderCopies
        spaceNeeded = report.plan.spaceNeeded
        freeSpace = report.plan.freeSpace
        seconds = report.seconds
    }
}

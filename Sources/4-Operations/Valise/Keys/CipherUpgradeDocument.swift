import ValiseAccounts
package import ValiseMaintenance
import ValisePages

/// The JSON document of a cipher upgrade.
package struct CipherUpgradeDocument: Encodable {
    let type = "keyUpgraded"
    let previous: [String: CipherSettings]
    let upgraded: [AccountDatabase]
    let keepsBackup: Bool

    private enum CodingKeys: String, CodingKey {
        case type, upgraded, keepsBackup
        case previous = "former"
    }

    package init(_ report: CipherUpgradeReport) {
        previous = Dictionary(
            report.previous.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
        upgraded = report.upgraded
        keepsBackup = report.keepsBackup
    }
}

public import ArgumentParser
public import MediaRules

extension MediaKind: ExpressibleByArgument {}
extension TransferProtocol: ExpressibleByArgument {}
